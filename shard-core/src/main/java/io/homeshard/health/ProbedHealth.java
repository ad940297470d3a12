package io.homeshard.health;

import io.homeshard.internal.jdbc.Causes;
import io.homeshard.model.PermanentHomeshardException;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import io.homeshard.pool.ShardPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the sick shards in a map that the request path only reads; the probe thread starts with the first of them. */
final class ProbedHealth implements ShardHealth {
    private static final Logger log = LoggerFactory.getLogger(ProbedHealth.class);

    /** Pause before the first repeated probe; doubles up to {@link #LONGEST_PAUSE}. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final ConcurrentMap<ShardId, Patient> patients = new ConcurrentHashMap<>();
    private final ShardPools pools;
    private final ShardListener listener;
    private final Clocks clocks;
    /** Guards {@link #thread} and {@link #closed}; held without I/O. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition work = lock.newCondition();
    private @Nullable Thread thread;
    private boolean closed;

    ProbedHealth(ShardPools pools, ShardListener listener, Clocks clocks) {
        this.pools = pools;
        this.listener = listener;
        this.clocks = clocks;
    }

    /** A shard that is dead, or only suspected to be. {@code due} is on the monotonic clock. */
    private record Patient(Shard shard, Throwable cause, boolean dead, long due, Duration pause) {
        boolean sameAddress(Shard other) {
            return shard.incarnation() == other.incarnation() && shard.jdbcUrl().equals(other.jdbcUrl());
        }
    }

    @Override
    public void check(Shard shard) {
        if (shard.status() == ShardStatus.OFFLINE) {
            throw new ShardUnavailableException(
                    shard.id(), "shard " + shard.id() + " - is offline (status=offline)", null);
        }
        Patient patient = patients.get(shard.id());
        if (patient == null) {
            return;
        }
        if (!patient.sameAddress(shard)) {
            dischargeMoved(patient);
        } else if (patient.dead) {
            refuseForGood(patient.cause);
            throw new ShardUnavailableException(
                    shard.id(),
                    "shard " + shard.id() + " - is known to be dead and is being probed, last probe: "
                            + patient.cause.getMessage(),
                    patient.cause);
        }
    }

    /** What was found out at an address that the shard has left says nothing of the new one. */
    private void dischargeMoved(Patient patient) {
        ShardId shard = patient.shard.id();
        if (patients.remove(shard, patient) && patient.dead) {
            log.info("shard {} - has a new address and is not probed at the old one any more", shard);
            listener.shardUp(shard);
        }
    }

    @Override
    public void failed(Shard shard, Throwable cause) {
        Patient before = patients.put(
                shard.id(), new Patient(shard, cause, true, clocks.nanoTime() + FIRST_PAUSE.toNanos(), FIRST_PAUSE));
        if (before == null || !before.dead) {
            log.warn("shard {} - is down, its tenants are refused until a probe succeeds", shard.id(), cause);
            listener.shardDown(shard.id(), cause);
        }
        wakeProbe();
    }

    @Override
    public void suspected(Shard shard, Throwable cause) {
        Patient before = patients.get(shard.id());
        if (before != null && !before.sameAddress(shard)) {
            dischargeMoved(before);
        }
        if (patients.putIfAbsent(shard.id(), new Patient(shard, cause, false, clocks.nanoTime(), Duration.ZERO))
                == null) {
            wakeProbe();
        }
    }

    @Override
    public Map<ShardId, Throwable> dead() {
        Map<ShardId, Throwable> dead = new TreeMap<>();
        patients.forEach((shard, patient) -> {
            if (patient.dead) {
                dead.put(shard, patient.cause);
            }
        });
        return dead;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wakeProbe() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (thread == null) {
                thread = new Thread(this::probeLoop, "homeshard-probe");
                thread.setDaemon(true);
                thread.start();
            }
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private void probeLoop() {
        try {
            while (awaitDue()) {
                for (Patient patient : patients.values()) {
                    if (patient.due - clocks.nanoTime() <= 0) {
                        probe(patient);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a probe is due; false when closed. */
    private boolean awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                long now = clocks.nanoTime();
                long next = patients.values().stream()
                        .mapToLong(patient -> patient.due - now)
                        .min()
                        .orElse(Long.MAX_VALUE);
                if (next <= 0) {
                    return true;
                }
                work.await(next, TimeUnit.NANOSECONDS);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void probe(Patient patient) {
        Shard shard = patient.shard;
        try (Connection connection = pools.open(shard, "homeshard-probe")) {
            if (!connection.isValid(1)) {
                throw new SQLException("connection is not valid");
            }
        } catch (SQLException | RuntimeException e) {
            stillSick(patient, e);
            return;
        }
        if (patient.dead) {
            pools.renew(shard.id());
        }
        if (patients.remove(shard.id(), patient) && patient.dead) {
            log.info("shard {} - is up again", shard.id());
            listener.shardUp(shard.id());
        }
    }

    private void stillSick(Patient patient, Exception failure) {
        Duration pause = patient.pause.isZero() ? FIRST_PAUSE : patient.pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        Patient next = new Patient(patient.shard, failure, true, clocks.nanoTime() + pause.toNanos(), pause);
        if (patients.replace(patient.shard.id(), patient, next) && !patient.dead) {
            log.warn("shard {} - is down, its tenants are refused until a probe succeeds", patient.shard.id(), failure);
            listener.shardDown(patient.shard.id(), failure);
        }
    }

    /** A wrong database or schema heals by an operator's hand only, which the caller should be told. */
    private static void refuseForGood(Throwable cause) {
        PermanentHomeshardException why = Causes.find(cause, PermanentHomeshardException.class);
        if (why instanceof ShardIdentityException) {
            throw new ShardIdentityException(String.valueOf(why.getMessage()), cause);
        }
        if (why instanceof SchemaMismatchException) {
            throw new SchemaMismatchException(String.valueOf(why.getMessage()), cause);
        }
    }
}
