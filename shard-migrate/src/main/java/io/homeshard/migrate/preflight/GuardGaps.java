package io.homeshard.migrate.preflight;

import io.homeshard.guard.GuardGap;
import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Every tenant table of both shards must be guarded: no freeze holds writes off that nobody checks. */
final class GuardGaps implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Side side : List.of(scene.source(), scene.target())) {
            for (GuardGap gap : scene.parts().guard().unguarded(side.connection())) {
                findings.add(Finding.error(
                        "guard-incomplete",
                        side.shard(),
                        "table " + gap.table() + ": " + gap.problem(),
                        "run the schema roll-out on the shard"));
            }
        }
        return findings;
    }
}
