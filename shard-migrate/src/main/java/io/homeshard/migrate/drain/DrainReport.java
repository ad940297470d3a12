package io.homeshard.migrate.drain;

import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a drain went. Immutable.
 *
 * @param shard the shard
 * @param moved reports of the moves that took a tenant away, in the order in which they ended; the old rows wait on the
 *     shard for the end of their retention
 * @param failed tenants that could not be moved, in the order of their failures
 * @param left tenants whose moves were not begun because of a failure or an interrupt; the next drain takes them
 * @param problem what ended the drain itself, as the directory that could not be reached, or null; then who else lives on
 *     the shard is not known, and the next drain looks again
 */
public record DrainReport(
        ShardId shard,
        List<MoveReport> moved,
        List<DrainFailure> failed,
        List<TenantId> left,
        @Nullable RuntimeException problem) {
    /** Copies the lists. */
    public DrainReport {
        moved = List.copyOf(moved);
        failed = List.copyOf(failed);
        left = List.copyOf(left);
    }

    /**
     * Whether no tenant lives on the shard any more. It can be removed when the old rows are cleaned.
     *
     * @return false when something has failed or was left, or when the drain could not look
     */
    public boolean complete() {
        return problem == null && failed.isEmpty() && left.isEmpty();
    }
}
