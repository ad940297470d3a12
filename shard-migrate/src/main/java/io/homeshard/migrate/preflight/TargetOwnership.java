package io.homeshard.migrate.preflight;

import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an earlier attempt, an earlier stay or a mistake has left of the tenant on the target. */
final class TargetOwnership implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        ShardId shard = scene.target().shard();
        long generation = scene.placement().generation();
        Optional<Ownership> row = scene.parts().guard().ownership(scene.target().connection(), scene.tenant());
        if (row.isPresent() && row.get().state() != OwnershipState.MOVED) {
            return List.of(Finding.error(
                    "target-occupied",
                    shard,
                    "has a record of the tenant (state=" + row.get().state() + ", generation="
                            + row.get().generation() + ")",
                    "recover() the move that is under way, or reconcile"));
        }
        if (row.isPresent() && row.get().generation() > generation) {
            return List.of(Finding.error(
                    "generation-behind",
                    shard,
                    "has owned the tenant at a later generation (" + row.get().generation() + ", now " + generation
                            + ")",
                    "reconcile"));
        }
        List<Finding> findings = new ArrayList<>();
        TenantRows rows = new TenantRows(scene.target().connection(), scene.tenant());
        for (TenantTable table : scene.target().catalog().tables()) {
            if (rows.any(table)) {
                findings.add(leftover(shard, row.isPresent()).in(table.name()));
            }
        }
        return findings;
    }

    private static Finding leftover(ShardId shard, boolean retained) {
        return retained
                ? Finding.note("retained-rows", shard, "holds old rows of the tenant", "the move deletes them first")
                : Finding.warning(
                        "leftover-rows",
                        shard,
                        "holds rows of the tenant though it never owned it",
                        "accept that the move deletes them first, or look at them");
    }
}
