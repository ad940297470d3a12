package io.homeshard.attack;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Writes at whatever shard comes to mind, in transactions that stay open for a while. */
final class ChaosWriter {
    private static final int[] ISOLATION = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
    };

    private final Chaos chaos;
    private @Nullable Connection open;
    private @Nullable Runnable acknowledge;

    ChaosWriter(Chaos chaos) {
        this.chaos = chaos;
    }

    void step() throws SQLException {
        Connection connection = open;
        Runnable ack = acknowledge;
        try {
            if (connection == null) {
                begin();
            } else if (ack == null) {
                write(connection);
            } else if (chaos.random.nextInt(5) == 0) {
                savepoint(connection);
            } else {
                connection.commit();
                ack.run();
                end();
            }
        } catch (SQLException e) {
            end();
        }
    }

    private void begin() throws SQLException {
        ShardId shard = chaos.lab.shard(
                1 + chaos.random.nextInt(chaos.lab.cluster.shards().size()));
        Connection connection = chaos.connect(shard);
        open = connection;
        connection.setTransactionIsolation(ISOLATION[chaos.random.nextInt(ISOLATION.length)]);
        connection.setAutoCommit(false);
        Jdbc.run(connection, "SELECT count(*) FROM app.rows");
        if (chaos.random.nextBoolean()) {
            write(connection);
        }
    }

    /** Not acknowledged, and undone. */
    private void savepoint(Connection connection) throws SQLException {
        var before = connection.setSavepoint();
        try {
            Jdbc.run(connection, "UPDATE app.rows SET val = val + 100 WHERE tenant_id = ?", chaos.tenant.value());
        } catch (SQLException e) {
            // undone as well
        }
        connection.rollback(before);
    }

    private void write(Connection connection) throws SQLException {
        String t = chaos.tenant.value();
        int id = chaos.random.nextInt(5);
        SortedMap<Integer, Integer> acked = chaos.ledger.acknowledged;
        switch (chaos.random.nextInt(5)) {
            case 0 -> {
                int n = Jdbc.update(connection, "DELETE FROM app.rows WHERE tenant_id = ? AND id = ?", t, id);
                acknowledge = () -> {
                    if (n == 1) {
                        acked.remove(id);
                    }
                };
            }
            case 1 -> {
                Jdbc.run(connection, """
                        MERGE INTO app.rows r USING (SELECT CAST(? AS text) AS t, CAST(? AS int) AS i) s
                           ON r.tenant_id = s.t AND r.id = s.i
                         WHEN MATCHED THEN UPDATE SET val = r.val + 1
                         WHEN NOT MATCHED THEN INSERT VALUES (s.t, s.i, 1)
                        """, t, id);
                acknowledge = () -> acked.merge(id, 1, Integer::sum);
            }
            case 2 -> {
                int n = Jdbc.update(
                        connection, "UPDATE app.rows SET val = val + 1 WHERE tenant_id = ? AND id = ?", t, id);
                acknowledge = () -> {
                    if (n == 1) {
                        acked.merge(id, 1, Integer::sum);
                    }
                };
            }
            default -> {
                Jdbc.run(connection, """
                        INSERT INTO app.rows AS r VALUES (?, ?, 1)
                        ON CONFLICT (tenant_id, id) DO UPDATE SET val = r.val + 1
                        """, t, id);
                acknowledge = () -> acked.merge(id, 1, Integer::sum);
            }
        }
    }

    void end() throws SQLException {
        Connection connection = open;
        open = null;
        acknowledge = null;
        if (connection != null) {
            connection.close();
        }
    }
}
