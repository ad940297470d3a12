package io.homeshard.migrate.copy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A JVM that copies tenant {@code t} of one schema, and says how many rows there were or what went wrong. */
final class CopyChild {
    private CopyChild() {}

    /** Arguments: URL, user and password of each shard; the schema; the longest row in bytes. */
    public static void main(String[] arguments) throws SQLException {
        try (Connection source = DriverManager.getConnection(arguments[0], arguments[1], arguments[2]);
                Connection target = DriverManager.getConnection(arguments[3], arguments[4], arguments[5])) {
            TenantCatalog catalog = TenantCatalog.read(
                    source,
                    TenantSchema.tenantColumn("tenant_id")
                            .inSchemas(arguments[6])
                            .build());
            CopySessions more = new CopySessions() {
                @Override
                public Connection source() throws SQLException {
                    return DriverManager.getConnection(arguments[0], arguments[1], arguments[2]);
                }

                @Override
                public Connection target() throws SQLException {
                    return DriverManager.getConnection(arguments[3], arguments[4], arguments[5]);
                }

                @Override
                public void close(Connection session) {
                    try {
                        session.close();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
            CopyLimits limits = CopyLimits.defaults().maxRowBytes(Long.parseLong(arguments[7]));
            CopyReport report = TenantCopy.create(limits, LoadMode.PLAIN, Clocks.system())
                    .copy(
                            new CopyEnds(source, target, TwoShards.OPEN, more),
                            catalog,
                            TwoShards.token("t"),
                            CopyListener.NONE);
            System.out.println("rows " + report.rows() + " bytes " + report.bytes());
        } catch (SQLException e) {
            System.out.println("failed " + e.getSQLState() + " " + e.getMessage());
        }
    }
}
