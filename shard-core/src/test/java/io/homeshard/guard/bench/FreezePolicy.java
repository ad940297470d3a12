package io.homeshard.guard.bench;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Freezes as the mover does, with the defaults of {@code io.homeshard.migrate.move.FreezeTimes} (firstTry,
 * laterTry, backoff) and the loop of {@code io.homeshard.migrate.move.Freeze}, which lie in a module above.
 *
 * @param guard the guard
 * @param mover a session of the owner of schema homeshard, in autocommit
 */
record FreezePolicy(WriteGuard guard, Connection mover) {
    static final Duration FIRST_TRY = Duration.ofMillis(50);
    static final Duration TRY = Duration.ofMillis(100);
    static final Duration BACKOFF = Duration.ofMillis(500);

    private static final long GENERATION = 1;
    private static final AtomicLong EPOCH = new AtomicLong();

    /**
     * A tenant that was frozen.
     *
     * @param token who did it
     * @param tries how often the mover asked
     * @param nanos from the first try to the freeze's commit
     * @param queuedNanos how long of that it was inside a try
     */
    record Frozen(MoverToken token, int tries, long nanos, long queuedNanos) {}

    /** Tries until it is done. */
    Frozen freeze(TenantId tenant) throws SQLException {
        MoverToken token = new MoverToken(tenant, UUID.randomUUID(), EPOCH.incrementAndGet(), 1);
        long start = System.nanoTime();
        long queued = 0;
        for (int tries = 1; ; tries++) {
            long begun = System.nanoTime();
            boolean done = attempt(token, tries == 1 ? FIRST_TRY : TRY);
            long now = System.nanoTime();
            queued += now - begun;
            if (done) {
                return new Frozen(token, tries, now - start, queued);
            }
            pause(BACKOFF.toNanos() + ThreadLocalRandom.current().nextLong(BACKOFF.toNanos()));
        }
    }

    private boolean attempt(MoverToken token, Duration lockTimeout) throws SQLException {
        try {
            must(guard.freeze(mover, token, GENERATION, lockTimeout));
            return true;
        } catch (SQLException e) {
            if (SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) || SqlStates.DEADLOCK.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Gives the tenant back. */
    void thaw(MoverToken token) throws SQLException {
        must(guard.unfreeze(mover, token, GENERATION));
    }

    private static void must(StepResult result) {
        if (!result.ok()) {
            throw new IllegalStateException("mover's step " + result);
        }
    }

    private static void pause(long nanos) throws SQLException {
        try {
            Clocks.system().sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        }
    }
}
