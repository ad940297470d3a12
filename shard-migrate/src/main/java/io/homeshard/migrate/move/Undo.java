package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.json.Json;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes a move, after the directory has said ABORTING under this mover's epoch. The source comes first: once it has
 * refused all older movers and is found not {@code moved}, nobody can activate the target any more, so its tenant need
 * not wait for a target that may be dead. Whether there is anything to thaw, the row itself says.
 */
record Undo(MoveSession session) {
    private static final Logger log = LoggerFactory.getLogger(Undo.class);

    void run() throws SQLException {
        thaw();
        new Fencing(session).target();
        release(session);
        session.advance(MovePhase.ABORTED, "{}");
    }

    /** The same by order of a person who knows that the target is gone for good. */
    void withoutTarget() throws SQLException {
        new Fencing(session).source();
        if (Aftermath.sourceMoved(session) || TargetWord.ask(session).owns(session)) {
            throw new MoveStopped(
                    "the tenant belongs to shard " + session.move().target() + ": recover() goes forward");
        }
        thaw();
        session.advance(MovePhase.ABORTED, Json.write(Map.of("targetReleased", releasedIfItAnswers(session))));
    }

    private void thaw() throws SQLException {
        new Fencing(session).source();
        Connection source = session.source();
        session.require(
                Step.UNFREEZE,
                "unfreeze on shard " + session.move().source(),
                () -> session.guard()
                        .unfreeze(source, session.token(), session.move().generation()));
    }

    /** Whether the target was there to be released; what it holds otherwise is found by reconciliation. */
    static boolean releasedIfItAnswers(MoveSession session) {
        try {
            new Fencing(session).target();
            release(session);
            return true;
        } catch (SQLException | MoveStopped e) {
            log.warn(
                    "move {} - target {} was not released, reconciliation does when it answers",
                    session.move().id(),
                    session.move().target(),
                    e);
            return false;
        }
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
