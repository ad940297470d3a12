package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The mover of a race, which takes tenants away from the writers and gives them back. Not thread-safe. */
final class RaceMover {
    private static final Duration TOO_LONG = Duration.ofSeconds(30);
    private static final String ROWS = "SELECT k, v FROM shop.%s WHERE tenant_id = ? ORDER BY k, v";
    private static final String SWEEP = "DELETE FROM shop.%s WHERE tenant_id = ?";
    private static final String COPY_BACK = """
            INSERT INTO shop.%s (tenant_id, k, v)
            SELECT ?, split_part(x, '=', 1)::bigint, split_part(x, '=', 2)::bigint FROM unnest(string_to_array(?, ',')) x""";

    private final Stage stage;
    private final String table;

    RaceMover(Stage stage, String table) {
        this.stage = stage;
        this.table = table;
    }

    /**
     * Freezes a tenant as soon as the writers let it.
     *
     * @return how often it was busy
     */
    int freeze(Subject subject, Random random) throws SQLException {
        Deadline deadline = Deadline.in(TOO_LONG);
        int busy = 0;
        while (true) {
            String answer = stage.mover().freeze(subject, Duration.ofMillis(1 + random.nextInt(40)));
            if (answer.equals(Mover.DONE)) {
                return busy;
            }
            if (!answer.equals(Mover.BUSY)) {
                throw new IllegalStateException("freeze " + answer);
            }
            busy++;
            deadline.check("tenant is never free");
        }
    }

    /** Gives a frozen tenant back; its next move. */
    Subject thaw(Subject subject) throws SQLException {
        stage.mover().unfreeze(subject);
        return subject.again();
    }

    void away(Subject subject) throws SQLException {
        stage.mover().markMoved(subject);
    }

    void sweep(Subject subject) throws SQLException {
        asMover(subject, connection -> Jdbc.update(connection, SWEEP.formatted(table), subject.name()));
    }

    /** Brings a tenant back; its next move. */
    Subject back(Subject subject, List<String> rows) throws SQLException {
        Subject returning = subject.returning();
        stage.mover().reserve(returning);
        if (!rows.isEmpty()) {
            asMover(
                    returning,
                    connection -> Jdbc.update(
                            connection, COPY_BACK.formatted(table), subject.name(), String.join(",", rows)));
        }
        stage.mover().own(returning);
        return returning.again();
    }

    /** All rows of a tenant, as somebody else sees them. */
    List<String> rows(Subject subject) throws SQLException {
        return Jdbc.list(
                stage.observer().connection(),
                ROWS.formatted(table),
                row -> row.getLong(1) + "=" + row.getLong(2),
                subject.name());
    }

    /** Something that the mover writes. */
    @FunctionalInterface
    private interface Writing {
        int on(Connection connection) throws SQLException;
    }

    private void asMover(Subject subject, Writing writing) throws SQLException {
        Session session = stage.mover().session();
        session.run("BEGIN");
        stage.mover().enter(subject);
        writing.on(session.connection());
        session.run("COMMIT");
    }
}
