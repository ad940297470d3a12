package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The commit point. Before it everything is looked at once more; from the moment that it is sent only the directory
 * knows whether it happened, and nothing is thawed on this side of an answer.
 */
record Flip(MoveSession session, String fingerprint, String relations) {
    private static final Duration PAUSE = Duration.ofMillis(200);

    void run() throws SQLException {
        requireFrozen();
        requireVerified();
        // on the session that holds the table locks: it must be there still
        ShardRequirements.requireGuard(
                session.guard(), session.side(), session.move().source());
        ShardRequirements.requireGuard(
                session.guard(), session.target(), session.move().target());
        ShardRequirements.requireRelations(
                session.side(), relations, session.move().source());
        requireUnchanged(session.source(), session.move().source());
        requireUnchanged(session.target(), session.move().target());
        session.lease().sendFlip();
        send();
        session.entered(MovePhase.FLIPPED);
    }

    private void requireFrozen() throws SQLException {
        Ownership row = ownership(session.source(), session.move().source());
        if (row.state() != OwnershipState.FROZEN
                || row.generation() != session.move().generation()
                || !mine(row)) {
            throw new MoveStopped("shard " + session.move().source() + " - is not frozen by this move any more (state="
                    + row.state() + ", generation=" + row.generation() + ", epoch=" + row.epoch() + ")");
        }
    }

    private void requireVerified() throws SQLException {
        Ownership row = ownership(session.target(), session.move().target());
        Integer verified = row.verifiedAttempt();
        if (row.state() != OwnershipState.INCOMING
                || !mine(row)
                || verified == null
                || verified != session.move().attempt()) {
            throw new MoveStopped(
                    "shard " + session.move().target() + " - does not hold the verified rows of this attempt"
                            + " (state=" + row.state() + ", verified=" + verified + ")");
        }
    }

    private Ownership ownership(Connection connection, ShardId shard) throws SQLException {
        return session.guard()
                .ownership(connection, session.move().tenant())
                .orElseThrow(() -> new MoveStopped("shard " + shard + " - has no record of the tenant"));
    }

    private boolean mine(Ownership row) {
        Long epoch = row.epoch();
        Integer attempt = row.attempt();
        return session.move().id().equals(row.move())
                && epoch != null
                && epoch == session.move().epoch()
                && attempt != null
                && attempt == session.move().attempt();
    }

    private void requireUnchanged(Connection connection, ShardId shard) throws SQLException {
        TenantCatalog now = TenantCatalog.read(connection, session.parts().tables());
        ShardRequirements.requireTables(now, fingerprint, shard);
    }

    /** Sends the flip until there is an answer: repeated after a lost answer it tells the truth. */
    private void send() {
        StepResult result;
        try {
            result = answer();
        } catch (RuntimeException e) {
            throw new FlipUnknown(e);
        }
        MoveStopped.unlessOk(result, "flip");
    }

    private StepResult answer() {
        long deadline =
                session.lease().now() + session.config().steps().reachPatience().toNanos();
        while (true) {
            try {
                return session.step(Step.FLIP, () -> session.parts().journal().flip(session.ticket()));
            } catch (DirectoryUnavailableException e) {
                if (session.lease().now() > deadline) {
                    throw e;
                }
            }
            session.pause(PAUSE);
        }
    }
}
