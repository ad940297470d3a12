package io.homeshard.migrate.preflight;

import io.homeshard.guard.GuardGap;
import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every tenant table of both shards must be guarded: no freeze holds writes off that nobody checks. */
final class GuardGaps implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Side side : List.of(scene.source(), scene.target())) {
            for (GuardGap gap : scene.parts().guard().unguarded(side.connection())) {
                findings.add(finding(side, gap));
            }
        }
        return findings;
    }

    /** The shard names the relation as SQL text; a partition's is not among the tables. */
    private static Finding finding(Side side, GuardGap gap) {
        @Nullable
        TableName table = side.catalog().tables().stream()
                .map(TenantTable::name)
                .filter(name ->
                        gap.table().equals(name.toString()) || gap.table().equals(Identifiers.quote(name)))
                .findFirst()
                .orElse(null);
        return new Finding(
                Severity.ERROR,
                "guard-incomplete",
                side.shard(),
                table,
                null,
                (table == null ? "table " + gap.table() + " " : "") + gap.problem(),
                "run the schema roll-out on the shard");
    }
}
