package io.homeshard.migrate.move;

import io.homeshard.guard.OwnershipState;
import java.sql.SQLException;

/** Whether this move holds a reservation. */
final class Reservations {
    private Reservations() {}

    static boolean held(MoveSession session) throws SQLException {
        return session.guard()
                .ownership(session.target(), session.move().tenant())
                .filter(row -> row.state() == OwnershipState.INCOMING)
                .filter(row -> session.move().id().equals(row.move()))
                .isPresent();
    }
}
