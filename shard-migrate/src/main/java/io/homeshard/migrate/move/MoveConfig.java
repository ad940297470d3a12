package io.homeshard.migrate.move;

import java.time.Duration;

/**
 * Times and limits of a mover. Immutable and thread-safe.
 *
 * @param lease how long a mover may be silent before another may take its move over; also the idle timeout of its
 *     sessions, so that a paused mover blocks nobody for longer
 * @param renewEvery how often the lease is renewed, and both shards are asked for a sign of life while the tenant is
 *     frozen; less than half of the lease
 * @param freezeFirstTry longest wait for the tenant's lock in the first attempt to freeze
 * @param freezeTry the same in later attempts; writers of the tenant stall no longer than that, and it must stay below
 *     the server's {@code deadlock_timeout}
 * @param freezeBackoff shortest pause between attempts; the longest is twice that
 * @param freezePatience when to give up freezing
 * @param reachPatience how long a step is tried again while its database cannot be reached
 * @param lockTimeout longest wait for a lock in any other step
 * @param stepTimeout how long a shard may take to answer a step that touches few rows, or give no sign of life while it
 *     works on many; longer than {@code lockTimeout}
 * @param statementTimeout longest single statement: the copy or comparison of the largest table
 * @param retention how long the old rows wait after the move
 * @param sweepBatch rows deleted at once
 * @param bytesPerSecond mean rate of the copy, at most; {@link #UNLIMITED} for as fast as it goes
 */
public record MoveConfig(
        Duration lease,
        Duration renewEvery,
        Duration freezeFirstTry,
        Duration freezeTry,
        Duration freezeBackoff,
        Duration freezePatience,
        Duration reachPatience,
        Duration lockTimeout,
        Duration stepTimeout,
        Duration statementTimeout,
        Duration retention,
        int sweepBatch,
        long bytesPerSecond) {
    /** No limit on the rate of the copy. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /**
     * Checks that the values go together.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public MoveConfig {
        positive("lease", lease);
        positive("renewEvery", renewEvery);
        positive("freezeFirstTry", freezeFirstTry);
        positive("freezeTry", freezeTry);
        positive("freezeBackoff", freezeBackoff);
        positive("freezePatience", freezePatience);
        positive("reachPatience", reachPatience);
        positive("lockTimeout", lockTimeout);
        positive("stepTimeout", stepTimeout);
        positive("statementTimeout", statementTimeout);
        if (retention.isNegative()) {
            throw new IllegalArgumentException("retention must be >= 0, was " + retention);
        }
        if (renewEvery.multipliedBy(2).compareTo(lease) >= 0) {
            throw new IllegalArgumentException("renewEvery must be < half of lease " + lease + ", was " + renewEvery);
        }
        if (stepTimeout.compareTo(lockTimeout) <= 0) {
            throw new IllegalArgumentException(
                    "stepTimeout must be > lockTimeout " + lockTimeout + ", was " + stepTimeout);
        }
        if (sweepBatch < 1) {
            throw new IllegalArgumentException("sweepBatch must be >= 1, was " + sweepBatch);
        }
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("bytesPerSecond must be >= 1, was " + bytesPerSecond);
        }
    }

    /**
     * The defaults: lease 30 s renewed every 10 s, 50 ms then 100 ms for the tenant's lock, 15 s for a step, retention
     * 24 h, no limit on the rate of the copy.
     *
     * @return the configuration
     */
    public static MoveConfig defaults() {
        return new MoveConfig(
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                Duration.ofSeconds(15),
                Duration.ofHours(1),
                Duration.ofHours(24),
                5_000,
                UNLIMITED);
    }

    /**
     * The same with another lease.
     *
     * @param newLease the lease
     * @param newRenewEvery how often to renew it
     * @return a copy
     */
    public MoveConfig lease(Duration newLease, Duration newRenewEvery) {
        return new MoveConfig(
                newLease,
                newRenewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                freezePatience,
                reachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                retention,
                sweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with other bounds for giving up.
     *
     * @param newFreezePatience for freezing
     * @param newReachPatience for databases that cannot be reached
     * @return a copy
     */
    public MoveConfig patience(Duration newFreezePatience, Duration newReachPatience) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                newFreezePatience,
                newReachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                retention,
                sweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with another pause between attempts to freeze.
     *
     * @param newFreezeBackoff shortest pause; shorter ones make writers stall more often
     * @return a copy
     */
    public MoveConfig freezeBackoff(Duration newFreezeBackoff) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                newFreezeBackoff,
                freezePatience,
                reachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                retention,
                sweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with other limits on a single statement.
     *
     * @param newLockTimeout longest wait for a lock
     * @param newStepTimeout for a step that touches few rows
     * @param newStatementTimeout for one that touches many
     * @return a copy
     */
    public MoveConfig timeouts(Duration newLockTimeout, Duration newStepTimeout, Duration newStatementTimeout) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                freezePatience,
                reachPatience,
                newLockTimeout,
                newStepTimeout,
                newStatementTimeout,
                retention,
                sweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with another retention.
     *
     * @param newRetention how long the old rows wait
     * @return a copy
     */
    public MoveConfig retention(Duration newRetention) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                freezePatience,
                reachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                newRetention,
                sweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with other batches.
     *
     * @param newSweepBatch rows deleted at once
     * @return a copy
     */
    public MoveConfig sweepBatch(int newSweepBatch) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                freezePatience,
                reachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                retention,
                newSweepBatch,
                bytesPerSecond);
    }

    /**
     * The same with another rate of the copy. The tenant stays frozen the longer the lower it is.
     *
     * @param newBytesPerSecond at most, on average
     * @return a copy
     */
    public MoveConfig bytesPerSecond(long newBytesPerSecond) {
        return new MoveConfig(
                lease,
                renewEvery,
                freezeFirstTry,
                freezeTry,
                freezeBackoff,
                freezePatience,
                reachPatience,
                lockTimeout,
                stepTimeout,
                statementTimeout,
                retention,
                sweepBatch,
                newBytesPerSecond);
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be > 0, was " + value);
        }
    }
}
