package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.StepResult;
import java.sql.SQLException;

/** The target promises to hold the tenant: an {@code incoming} row, which admits nobody but this mover. */
record Reservation(MoveSession session) {
    void run() throws SQLException {
        if (session.phase() == MovePhase.PLANNED) {
            session.advance(MovePhase.RESERVED, "{}");
        }
        session.lease().check();
        StepResult result = session.guard().reserve(session.target(), session.token(), session.nextGeneration());
        MoveStopped.unlessOk(result, "reserve on shard " + session.move().target());
        session.watcher().after(CrashPoint.Effect.TARGET_RESERVED);
    }
}
