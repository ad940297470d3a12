package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Sends a tenant back whose target died between flip and activation. First the source is told of the new epoch, then it is
 * looked at: where it says {@code frozen}, no mover has had the right to activate the target, and none gets it any more.
 * Where it says {@code moved}, or the journal has the order to activate without it, only the target itself can tell that
 * it does not own the tenant, or a person who takes its loss upon himself.
 */
record SecondFlip(MoveSession session, String reason, boolean acceptLoss) {
    void run() throws SQLException {
        if (session.phase() == MovePhase.FLIPPED) {
            new Fencing(session).source();
            boolean frozen = requireHeld(session.source()) == OwnershipState.FROZEN;
            boolean answered = targetDoesNotOwn();
            if (!frozen && !answered && !acceptLoss) {
                throw new MoveStopped("shard " + session.move().source() + " says moved, so shard "
                        + session.move().target()
                        + " may own the tenant and hold writes that were acknowledged; bring it"
                        + " back, or if it is destroyed for good give them up by returnToSourceAcceptingLoss()");
            }
            session.lease().checkHeld();
            session.require(
                    Step.RETURN,
                    "second flip",
                    () -> session.parts().journal().returnMove(session.ticket(), reason, answered || acceptLoss));
            session.entered(MovePhase.RETURNING);
        }
        new Returning(session).run();
    }

    private OwnershipState requireHeld(Connection source) throws SQLException {
        Optional<Ownership> row =
                session.guard().ownership(source, session.move().tenant());
        ShardId shard = session.move().source();
        return row.filter(r -> r.state() == OwnershipState.FROZEN || r.state() == OwnershipState.MOVED)
                .filter(r -> r.generation() == session.move().generation()
                        && session.move().id().equals(r.move()))
                .map(Ownership::state)
                .orElseThrow(() -> new MoveStopped("shard " + shard + " - does not hold the tenant for this move ("
                        + row.map(r -> "state=" + r.state() + ", generation=" + r.generation())
                                .orElse("no record")
                        + "); reconcile"));
    }

    /** True when it was told of the new epoch and then said so; false when it does not answer. */
    private boolean targetDoesNotOwn() {
        TargetWord word = TargetWord.ask(session);
        if (word.row()
                .filter(r -> r.state() == OwnershipState.OWNED || r.state() == OwnershipState.FROZEN)
                .isPresent()) {
            throw new MoveStopped("shard " + session.move().target()
                    + " answers and owns the tenant: recover() or resume() ends the move there");
        }
        return word.answered();
    }
}
