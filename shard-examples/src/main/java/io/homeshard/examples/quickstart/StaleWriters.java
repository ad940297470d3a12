package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.test.Database;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Writers that know nothing of the move. Each tries the shard that the tenant has left. */
final class StaleWriters {
    private static final String INSERT =
            "INSERT INTO academy.orders (tenant_id, order_id, origin, currency, total) VALUES (?, ?, 'checkout', 'EUR', 1)";
    private static final String UPDATE = "UPDATE academy.seat_counters SET seats = seats + 1 WHERE tenant_id = ?";
    private static final String DELETE = "DELETE FROM academy.order_lines WHERE tenant_id = ?";
    private static final String COPY = "COPY academy.orders (tenant_id, order_id, origin, currency, total) FROM STDIN";

    private final TenantId tenant;
    /** SQLState of PostgreSQL's refusal by kind of writer; "accepted" where it was let in. */
    private final Map<String, String> outcomes = new LinkedHashMap<>();

    StaleWriters(TenantId tenant) {
        this.tenant = tenant;
    }

    /** A router that resolved the tenant before the move and has heard nothing since. */
    void throughStaleRouter(Homeshard stale) throws Exception {
        stale.run(tenant, () -> {
            try (Connection connection = stale.dataSource().getConnection()) {
                writeWith(connection, "stale router");
            }
        });
    }

    /** A client that knows nothing of Homeshard, such as psql or a cron job. */
    void throughPlainJdbc(Database oldShard) throws SQLException, IOException {
        try (Connection connection = oldShard.connect()) {
            writeWith(connection, "plain JDBC");
        }
    }

    private void writeWith(Connection connection, String who) throws SQLException, IOException {
        connection.setAutoCommit(true);
        attempt(who + ", INSERT in autocommit", () -> insert(connection));
        attempt(who + ", UPDATE", () -> statement(connection, UPDATE));
        attempt(who + ", DELETE", () -> statement(connection, DELETE));
        connection.setAutoCommit(false);
        attempt(who + ", INSERT in a transaction", () -> insert(connection));
        connection.rollback();
        attempt(who + ", batch", () -> batch(connection));
        connection.rollback();
        connection.setAutoCommit(true);
        attempt(who + ", COPY", () -> copy(connection));
    }

    /** A tenant that nobody has created must reach no shard. Returns what the caller is told. */
    String unknownTenant(Homeshard homeshard) throws Exception {
        try {
            homeshard.run(TenantId.of("company-that-never-was"), () -> {
                try (Connection connection = homeshard.dataSource().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("SELECT 1");
                }
            });
        } catch (UnknownTenantException e) {
            return e.getClass().getSimpleName();
        } catch (HomeshardException e) {
            throw new IllegalStateException("unknown tenant was answered with " + e, e);
        }
        throw new IllegalStateException("a statement of an unknown tenant reached a shard");
    }

    Map<String, String> outcomes() {
        return outcomes;
    }

    /** Refusals by PostgreSQL's guard. */
    long refused() {
        return outcomes.values().stream().filter("HS001"::equals).count();
    }

    boolean allRefused() {
        return !outcomes.isEmpty() && refused() == outcomes.size();
    }

    private interface Write {
        void run() throws SQLException, IOException;
    }

    private void attempt(String kind, Write write) throws IOException {
        try {
            write.run();
            outcomes.put(kind, "accepted");
        } catch (SQLException e) {
            outcomes.put(kind, String.valueOf(e.getSQLState()));
        }
    }

    private void insert(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, tenant.value());
            insert.setObject(2, UUID.randomUUID());
            insert.executeUpdate();
        }
    }

    private void statement(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, tenant.value());
            statement.executeUpdate();
        }
    }

    private void batch(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = 0; i < 3; i++) {
                insert.setString(1, tenant.value());
                insert.setObject(2, UUID.randomUUID());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void copy(Connection connection) throws SQLException, IOException {
        CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
        byte[] row = (tenant + "\t" + UUID.randomUUID() + "\tcheckout\tEUR\t1\n").getBytes(StandardCharsets.UTF_8);
        in.writeToCopy(row, 0, row.length);
        in.endCopy();
    }
}
