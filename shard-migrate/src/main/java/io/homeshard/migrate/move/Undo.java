package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Undoes a move, after the directory has said ABORTING under this mover's epoch. The source comes first: once it has
 * refused all older movers and is found not {@code moved}, nobody can activate the target any more, so its tenant need
 * not wait for a target that may be dead. Whether there is anything to thaw, the row itself says.
 */
record Undo(MoveSession session) {
    void run() throws SQLException {
        Fencing fencing = new Fencing(session);
        fencing.source();
        Connection source = session.source();
        session.require(
                Step.UNFREEZE,
                "unfreeze on shard " + session.move().source(),
                () -> session.guard()
                        .unfreeze(source, session.token(), session.move().generation()));
        fencing.target();
        release(session);
        session.advance(MovePhase.ABORTED, "{}");
    }

    /** Released also where there is nothing to release: the shard then refuses a reservation that is still on its way. */
    static void release(MoveSession session) throws SQLException {
        Connection target = session.target();
        if (holdsReservation(session)) {
            TenantCatalog catalog = TenantCatalog.read(target, session.parts().tables());
            LoadMode mode = Loading.ofSweep(session.move().target(), target, catalog);
            session.onManyRows(() -> new Sweeping(session, Step.SWEEP_COPIED, mode).run(target, catalog), target);
        }
        // looks into all tables for rows that are left
        StepResult released = session.onManyRows(
                () -> session.step(
                        Step.RELEASE, () -> session.guard().release(target, session.token(), session.nextGeneration())),
                target);
        if (!released.ok() && holdsReservation(session)) {
            MoveStopped.unlessOk(released, "release on shard " + session.move().target());
        }
    }

    private static boolean holdsReservation(MoveSession session) throws SQLException {
        return session.guard()
                .ownership(session.target(), session.move().tenant())
                .filter(row -> row.state() == OwnershipState.INCOMING)
                .filter(row -> session.move().id().equals(row.move()))
                .isPresent();
    }
}
