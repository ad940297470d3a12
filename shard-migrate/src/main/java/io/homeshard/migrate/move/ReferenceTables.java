package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Reference tables must be the same on both shards, else rows of the tenant may refer to what is not there. */
record ReferenceTables(Connection source, Connection target, ShardId shard) {
    private static final String PRESENT = "SELECT pg_catalog.to_regclass(?) IS NOT NULL";
    private static final String CONTENT = """
            SELECT count(*) || ' ' || COALESCE(sum(pg_catalog.hashtextextended(t::text, 0)::numeric), 0) FROM %s t
            """;

    List<Finding> read(Collection<TableName> tables) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (TableName table : tables) {
            if (!content(source, table).equals(content(target, table))) {
                findings.add(Finding.warning(
                                "reference-differs",
                                shard,
                                "reference table holds other rows than on the source",
                                "bring it up to date, or accept that the move may be undone")
                        .in(table));
            }
        }
        return findings;
    }

    private static String content(Connection connection, TableName table) throws SQLException {
        return PinnedTransaction.read(connection, session -> {
            String name = Identifiers.quote(table);
            return Jdbc.one(session, PRESENT, row -> row.getBoolean(1), name)
                    ? Jdbc.one(session, CONTENT.formatted(name), row -> row.getString(1))
                    : "absent";
        });
    }
}
