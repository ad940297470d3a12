package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reference tables must be the same on both shards, else rows of the tenant may refer to what is not there. */
final class ReferenceTables implements Check {
    private static final String PRESENT = "SELECT pg_catalog.to_regclass(?) IS NOT NULL";
    private static final String CONTENT = """
            SELECT count(*) || ' ' || COALESCE(sum(pg_catalog.hashtextextended(t::text, 0)::numeric), 0) FROM %s t
            """;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (TableName table : scene.parts().tables().referenceTables()) {
            if (!content(scene.source().connection(), table)
                    .equals(content(scene.target().connection(), table))) {
                findings.add(Finding.warning(
                                "reference-differs",
                                scene.target().shard(),
                                "reference table holds other rows than on the source",
                                "bring it up to date, or accept that the move may be undone")
                        .in(table));
            }
        }
        return findings;
    }

    private static String content(Connection connection, TableName table) throws SQLException {
        String name = Identifiers.quote(table);
        return Jdbc.one(connection, PRESENT, row -> row.getBoolean(1), name)
                ? Jdbc.one(connection, CONTENT.formatted(name), row -> row.getString(1))
                : "absent";
    }
}
