package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.move.RoundsLedger.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a transaction does before the freeze, and what it still has to do when it ends. */
enum Straddle {
    INSERT(Connection.TRANSACTION_READ_COMMITTED, true),
    UPDATE(Connection.TRANSACTION_READ_COMMITTED, true),
    DELETE(Connection.TRANSACTION_READ_COMMITTED, true),
    /** Locks a row, and writes when it is too late. */
    SELECT_FOR_UPDATE(Connection.TRANSACTION_READ_COMMITTED, false),
    /** Has written, under a snapshot from before the freeze. */
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE, true),
    /** Has read, under a snapshot from before the freeze, and writes when it is too late. */
    SERIALIZABLE_LATE(Connection.TRANSACTION_SERIALIZABLE, false),
    /** One statement that runs over the freeze. */
    LONG_STATEMENT(Connection.TRANSACTION_READ_COMMITTED, false);

    private static final String LOG = "INSERT INTO app.log VALUES (?, ?)";

    private final int isolation;
    private final boolean writesAtOnce;

    Straddle(int isolation, boolean writesAtOnce) {
        this.isolation = isolation;
        this.writesAtOnce = writesAtOnce;
    }

    /** Whether it holds the tenant's lock before the freeze comes, so that the freeze has to wait for it. */
    boolean writesAtOnce() {
        return writesAtOnce;
    }

    int isolation() {
        return isolation;
    }

    /** A write whose effect is right for this manner; {@code known} is an entry that exists. */
    Write write(String op, long fresh, long known) {
        return switch (this) {
            case UPDATE, SELECT_FOR_UPDATE -> new Write(op, Map.of(known, Optional.of(fresh)), false);
            case DELETE -> new Write(op, Map.of(known, Optional.empty()), false);
            default -> new Write(op, Map.of(fresh, Optional.of(fresh)), false);
        };
    }

    /** Before the move. */
    void begin(Connection connection, String tenant, Write write) throws SQLException {
        if (writesAtOnce) {
            send(connection, tenant, write);
        } else if (this != LONG_STATEMENT) {
            long id = write.after().keySet().iterator().next();
            Jdbc.list(
                    connection,
                    "SELECT val FROM app.entries WHERE tenant_id = ? AND id = ?"
                            + (this == SELECT_FOR_UPDATE ? " FOR UPDATE" : ""),
                    row -> row.getLong(1),
                    tenant,
                    id);
        }
    }

    /** At the point, before the commit. */
    void end(Connection connection, String tenant, Write write) throws SQLException {
        if (!writesAtOnce && this != LONG_STATEMENT) {
            send(connection, tenant, write);
        }
    }

    private static void send(Connection connection, String tenant, Write write) throws SQLException {
        Jdbc.update(connection, LOG, tenant, write.op());
        for (Map.Entry<Long, Optional<Long>> entry : write.after().entrySet()) {
            List<Object> key = List.of(tenant, entry.getKey());
            if (entry.getValue().isEmpty()) {
                Jdbc.update(connection, "DELETE FROM app.entries WHERE tenant_id = ? AND id = ?", key.toArray());
            } else {
                Jdbc.update(
                        connection,
                        """
                        INSERT INTO app.entries VALUES (?, ?, ?) ON CONFLICT (tenant_id, id) DO UPDATE SET val = excluded.val
                        """,
                        tenant,
                        entry.getKey(),
                        entry.getValue().get());
            }
        }
    }
}
