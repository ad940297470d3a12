package io.homeshard.migrate.move;

import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.migrate.verify.MoveCheck;
import java.time.Duration;
import java.util.List;

/**
 * Times and limits of a mover. Immutable and thread-safe.
 *
 * @param lease how long a mover may be silent
 * @param freeze how it asks for the tenant's lock
 * @param steps how long it waits for the databases
 * @param copy limits of the copy
 * @param retention how long the old rows wait after the move
 * @param sweepBatch rows deleted at once
 * @param checks questions that both shards must answer alike
 */
public record MoveConfig(
        LeaseTimes lease,
        FreezeTimes freeze,
        StepTimes steps,
        CopyLimits copy,
        Duration retention,
        int sweepBatch,
        List<MoveCheck> checks) {
    private static final int SWEEP_BATCH = 5_000;

    /**
     * Checks that the values go together, and copies the list.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public MoveConfig {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("retention must be >= 0, was " + retention);
        }
        if (sweepBatch < 1) {
            throw new IllegalArgumentException("sweepBatch must be >= 1, was " + sweepBatch);
        }
        checks = List.copyOf(checks);
    }

    /**
     * The defaults: lease 30 s renewed every 10 s, 50 ms then 100 ms for the tenant's lock, 15 s for a step, retention
     * 24 h, no limit on the rate of the copy, no checks.
     *
     * @return the configuration
     */
    public static MoveConfig defaults() {
        return new MoveConfig(
                new LeaseTimes(Duration.ofSeconds(30), Duration.ofSeconds(10)),
                new FreezeTimes(
                        Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(30)),
                new StepTimes(
                        Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(15), Duration.ofHours(1)),
                CopyLimits.defaults(),
                Duration.ofHours(24),
                SWEEP_BATCH,
                List.of());
    }

    /**
     * The same with another lease.
     *
     * @param newLease its times
     * @return a copy
     */
    public MoveConfig lease(LeaseTimes newLease) {
        return new MoveConfig(newLease, freeze, steps, copy, retention, sweepBatch, checks);
    }

    /**
     * The same with another way to freeze.
     *
     * @param newFreeze its times
     * @return a copy
     */
    public MoveConfig freeze(FreezeTimes newFreeze) {
        return new MoveConfig(lease, newFreeze, steps, copy, retention, sweepBatch, checks);
    }

    /**
     * The same with other limits on single steps.
     *
     * @param newSteps their times
     * @return a copy
     */
    public MoveConfig steps(StepTimes newSteps) {
        return new MoveConfig(lease, freeze, newSteps, copy, retention, sweepBatch, checks);
    }

    /**
     * The same with other limits of the copy. The tenant stays frozen the longer the lower its rate is.
     *
     * @param newCopy the limits
     * @return a copy
     */
    public MoveConfig copy(CopyLimits newCopy) {
        return new MoveConfig(lease, freeze, steps, newCopy, retention, sweepBatch, checks);
    }

    /**
     * The same with another retention.
     *
     * @param newRetention how long the old rows wait
     * @return a copy
     */
    public MoveConfig retention(Duration newRetention) {
        return new MoveConfig(lease, freeze, steps, copy, newRetention, sweepBatch, checks);
    }

    /**
     * The same with other batches.
     *
     * @param newSweepBatch rows deleted at once
     * @return a copy
     */
    public MoveConfig sweepBatch(int newSweepBatch) {
        return new MoveConfig(lease, freeze, steps, copy, retention, newSweepBatch, checks);
    }

    /**
     * The same with other checks.
     *
     * @param newChecks questions that both shards must answer alike
     * @return a copy
     */
    public MoveConfig checks(List<MoveCheck> newChecks) {
        return new MoveConfig(lease, freeze, steps, copy, retention, sweepBatch, newChecks);
    }

    static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be > 0, was " + value);
        }
    }
}
