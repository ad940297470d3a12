package io.homeshard.guard.matrix;

import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The mover's part of a cell, played through the real guard. Its session may hold a transaction open, which the real
 * mover never does: that stretches the moment between the freeze and its commit.
 *
 * @param guard the guard
 * @param session a session of the owner of schema homeshard
 */
record Mover(WriteGuard guard, Session session) {
    /** Long enough on an overloaded machine where nothing is in the way. */
    static final Duration PATIENT = Duration.ofMillis(900);

    /** Where something is in the way. */
    static final Duration BRIEF = Duration.ofMillis(10);

    /** What a step answers that worked. */
    static final String DONE = "done";

    /** What a step answers that has to wait for a writer. */
    static final String BUSY = SqlStates.LOCK_TIMEOUT;

    /** A step of the guard. */
    @FunctionalInterface
    private interface Step {
        StepResult run() throws SQLException;
    }

    /** Makes the shard own a tenant that it does not know, as the creation of a tenant does. */
    void own(Subject subject) throws SQLException {
        must(() -> guard.reserve(session.connection(), subject.token(), subject.generation()));
        must(() -> guard.markVerified(session.connection(), subject.token(), subject.generation()));
        must(() -> guard.activate(session.connection(), subject.token(), subject.generation()));
    }

    /** Freezes: {@value #DONE}, a refusal, or a SQLState. */
    String freeze(Subject subject, Duration lockTimeout) throws SQLException {
        return answer(() -> guard.freeze(session.connection(), subject.token(), subject.generation(), lockTimeout));
    }

    /** Gives the tenant back. */
    void unfreeze(Subject subject) throws SQLException {
        must(() -> guard.unfreeze(session.connection(), subject.token(), subject.generation()));
    }

    /** Frozen becomes moved. */
    void markMoved(Subject subject) throws SQLException {
        must(() ->
                guard.markMoved(session.connection(), subject.token(), subject.generation(), ShardId.of("elsewhere")));
    }

    /** A tenant that has moved away is about to come back. */
    void reserve(Subject returning) throws SQLException {
        must(() -> guard.reserve(session.connection(), returning.token(), returning.generation()));
    }

    /** Until the transaction ends that is open, the session may write the tenant. */
    void enter(Subject subject) throws SQLException {
        guard.enterMover(session.connection(), subject.token());
    }

    /** Holes that the mover finds in the guard. */
    int gaps() throws SQLException {
        return guard.unguarded(session.connection()).size();
    }

    private static void must(Step step) throws SQLException {
        StepResult result = step.run();
        if (!result.ok()) {
            throw new IllegalStateException("mover's step " + result);
        }
    }

    private static String answer(Step step) throws SQLException {
        StepResult[] result = new StepResult[1];
        String outcome = Session.outcome(() -> result[0] = step.run());
        return outcome.equals(Session.OK) ? result[0].toString() : outcome;
    }
}
