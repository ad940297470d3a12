package io.homeshard.migrate.drain;

import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTerms;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.move.MoveException;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Plans the moves of all tenants of a shard; changes nothing. */
record DrainPlanner(DrainParts parts) {
    private static final int PAGE = 500;

    DrainPlan plan(ShardId shard, DrainConfig config) {
        return plan(shard, config, Set.of());
    }

    /** The same without some tenants, of which the caller takes care. */
    DrainPlan plan(ShardId id, DrainConfig config, Set<TenantId> without) {
        Shard shard = parts.directory()
                .shard(id)
                .orElseThrow(() -> new MoveException(null, "shard " + id + " - is not in the directory", null));
        // before the placements: a move that ends in between has taken its tenant away
        List<MoveRecord> underWay = underWay(id);
        Set<TenantId> moving = underWay.stream().map(MoveRecord::tenant).collect(Collectors.toSet());
        Targets targets = Targets.of(shard, config, parts);
        List<MovePlan> moves = new ArrayList<>();
        Map<TenantId, Finding> unplanned = new LinkedHashMap<>();
        for (Placement placement : placements(id)) {
            TenantId tenant = placement.tenant();
            if (!without.contains(tenant) && !moving.contains(tenant)) {
                plan(tenant, id, targets, moves, unplanned);
            }
        }
        return new DrainPlan(id, config, moves, underWay, unplanned, Set.of(), MoveTerms.NONE);
    }

    List<MoveRecord> underWay(ShardId shard) {
        return parts.journal().unfinished().stream()
                .filter(move -> move.source().equals(shard))
                .toList();
    }

    private void plan(
            TenantId tenant, ShardId shard, Targets targets, List<MovePlan> moves, Map<TenantId, Finding> unplanned) {
        Optional<ShardId> target = targets.take(tenant);
        if (target.isEmpty()) {
            unplanned.put(
                    tenant,
                    Finding.error(
                            "no-target",
                            shard,
                            "no shard takes its tenants: " + targets.refusals(),
                            "put a shard into service, or name targets"));
            return;
        }
        try {
            moves.add(parts.engine().plan(tenant, target.get()));
        } catch (UnknownTenantException gone) {
            // deleted a moment ago
            return;
        } catch (HomeshardException e) {
            unplanned.put(
                    tenant,
                    Finding.error(
                            "not-planned",
                            target.get(),
                            "the move could not be planned: " + e.getMessage(),
                            "see the message, and plan again"));
        }
    }

    List<Placement> placements(ShardId shard) {
        List<Placement> all = new ArrayList<>();
        Optional<TenantId> last = Optional.empty();
        List<Placement> page;
        do {
            page = parts.admin().listOn(shard, last, PAGE);
            all.addAll(page);
            last = page.isEmpty() ? last : Optional.of(page.get(page.size() - 1).tenant());
        } while (page.size() == PAGE);
        return all;
    }
}
