package io.homeshard.migrate.gather;

import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was found of a tenant on shards that do not own it, and what became of it. Immutable; kept in the directory unless
 * nothing was to be changed.
 *
 * @param gathering its id in the directory and in {@code homeshard.put_aside}, or null when nothing was to be changed
 * @param tenant the tenant
 * @param home the shard that owns it
 * @param generation at which it does
 * @param handling what was ordered
 * @param strays tables in which rows were found
 * @param skipped shards that were not gathered from, and why: they do not answer, or what they hold is not stray
 * @param homeBefore digests of the home before anything was done
 * @param homeAfter digests of the home at the end
 */
public record GatherReport(
        @Nullable UUID gathering,
        TenantId tenant,
        ShardId home,
        long generation,
        Handling handling,
        List<StrayTable> strays,
        Map<ShardId, String> skipped,
        List<TableDigest> homeBefore,
        List<TableDigest> homeAfter) {
    /** Copies the collections. */
    public GatherReport {
        strays = List.copyOf(strays);
        skipped = Map.copyOf(skipped);
        homeBefore = List.copyOf(homeBefore);
        homeAfter = List.copyOf(homeAfter);
    }

    /**
     * The report as the directory keeps it.
     *
     * @return a JSON object, without any value of a tenant's columns
     */
    public String toJson() {
        return GatherJson.write(this);
    }
}
