package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tenant whose name is no value of a tenant column's type: every statement about its rows there would fail. */
final class TenantNames implements Check {
    private static final String READ = "SELECT CAST(CAST(? AS text) AS %s) IS NULL";

    /** PostgreSQL: the text is no value of the type, or beyond its range. */
    private static final String DATA_EXCEPTION = "22";

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        Side side = scene.source();
        Map<String, Boolean> readable = new HashMap<>();
        List<Finding> findings = new ArrayList<>();
        for (TenantTable table : side.catalog().tables()) {
            String type = table.tenant().type();
            Boolean known = readable.get(type);
            boolean fits = known == null ? fits(scene, type) : known;
            readable.put(type, fits);
            if (!fits) {
                findings.add(finding(side, table));
            }
        }
        return findings;
    }

    private static boolean fits(Scene scene, String type) throws SQLException {
        Connection connection = scene.source().connection();
        Savepoint before = connection.setSavepoint();
        try {
            Jdbc.run(connection, READ.formatted(type), scene.tenant().value());
            return true;
        } catch (SQLException e) {
            if (SqlStates.find(e, DATA_EXCEPTION) == null) {
                throw e;
            }
            connection.rollback(before);
            return false;
        }
    }

    private static Finding finding(Side side, TenantTable table) {
        return new Finding(
                Severity.ERROR,
                "tenant-type-mismatch",
                side.shard(),
                table.name(),
                table.tenantColumn(),
                "the tenant's name is no value of the tenant column's type "
                        + table.tenant().type() + ", so that its rows cannot be asked for",
                "make the column text, or declare the table as ignored when it holds no rows of such tenants");
    }
}
