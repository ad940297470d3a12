package io.homeshard.attack;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One tenant, several movers and recoverers that are stopped between any two steps, crash, leave transactions open on
 * the servers and statements under way that land later; writers at every shard at all times. One seed, one history.
 */
final class Chaos implements AutoCloseable {
    private static final int MOVERS = 3;
    private static final int WRITERS = 4;
    final AttackLab lab;
    final TenantId tenant;
    final Random random;
    final Ledger ledger;
    /** What crashed movers have left on the servers: open transactions, and statements that have not begun. */
    final List<Runnable> ghosts = new ArrayList<>();

    final List<String> history = new ArrayList<>();
    private final List<Coroutine> movers = new ArrayList<>();
    private final List<ChaosWriter> writers = new ArrayList<>();
    private final boolean lossy;
    private final boolean sequenceToo;
    private final DirectoryBackup backup;
    /** A process that is stopped for a long time, and knows nothing of it. */
    private @Nullable Coroutine asleep;

    Chaos(AttackLab lab, long seed, boolean lossy, boolean sequenceToo) throws SQLException {
        this.lab = lab;
        this.random = new Random(seed);
        this.tenant = lab.tenant((lossy ? "lossy " : "chaos ") + seed + " " + UUID.randomUUID(), lab.shard(1));
        this.lossy = lossy;
        this.sequenceToo = sequenceToo;
        this.ledger = new Ledger(lab, tenant);
        this.backup = new DirectoryBackup(lab, tenant);
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new ChaosWriter(this));
        }
    }

    void run(int steps) throws SQLException {
        for (int i = 0; i < steps; i++) {
            step();
            ledger.check(history);
        }
    }

    private void step() throws SQLException {
        movers.removeIf(Coroutine::over);
        int dice = random.nextInt(1000);
        if (dice < 250) {
            writers.get(random.nextInt(writers.size())).step();
        } else if (dice < 256 && !ghosts.isEmpty()) {
            note("ghost");
            ghosts.remove(random.nextInt(ghosts.size())).run();
        } else if (dice < 270 && !movers.isEmpty()) {
            note("kill");
            movers.get(random.nextInt(movers.size())).kill();
        } else if (lossy && dice < 277) {
            if (random.nextInt(3) > 0) {
                backup.take();
            } else {
                note("directory restored");
                backup.restore(sequenceToo);
                ledger.directoryLost();
            }
        } else if (movers.size() < MOVERS && (movers.isEmpty() || dice < 285)) {
            // whoever is taken over has mostly been silent, and wakes up much later
            asleep = movers.isEmpty() || random.nextInt(3) == 0 ? null : movers.get(random.nextInt(movers.size()));
            movers.add(new Coroutine(self -> start(new ChaosMover(this, self))));
        } else if (!movers.isEmpty()) {
            if (dice < 289) {
                asleep = random.nextBoolean() ? null : movers.get(random.nextInt(movers.size()));
            }
            Coroutine next = movers.get(random.nextInt(movers.size()));
            if (next != asleep) {
                next.resume();
            }
        }
    }

    private void start(ChaosMover mover) throws SQLException {
        List<MoveRecord> moves = lab.journal.ofTenant(tenant);
        Optional<MoveRecord> unfinished =
                moves.stream().filter(m -> !m.phase().finished()).findFirst();
        Optional<MoveRecord> old = moves.stream()
                .filter(m -> m.phase() == MovePhase.RETAINED || m.phase() == MovePhase.CLEANING)
                .filter(m -> !m.superseded())
                .findFirst();
        int dice = random.nextInt(10);
        if (unfinished.isPresent() && dice == 0) {
            note("cancel");
            lab.journal.cancel(unfinished.get().id(), "chaos");
        } else if (unfinished.isPresent()) {
            mover.recover(unfinished.get().id(), dice < 5);
        } else if (old.isPresent() && dice < 4) {
            mover.clean(old.get().id());
        } else {
            mover.move(lab.shard(1 + random.nextInt(lab.cluster.shards().size())));
        }
    }

    /** Everybody dies, what is under way lands, and then somebody mends it undisturbed. */
    void settle() throws SQLException {
        movers.forEach(Coroutine::kill);
        movers.clear();
        for (ChaosWriter writer : writers) {
            writer.end();
        }
        ledger.check(history);
        ghosts.forEach(Runnable::run);
        ghosts.clear();
        ledger.check(history);
        for (int i = 0; i < 10; i++) {
            for (MoveRecord move : lab.journal.ofTenant(tenant)) {
                if (!move.phase().finished()) {
                    note("settle");
                    Coroutine last = new Coroutine(self -> new ChaosMover(this, self).recover(move.id(), false));
                    while (!last.over()) {
                        last.resume();
                        ledger.check(history);
                    }
                }
            }
        }
    }

    void note(String what) {
        history.add(what);
    }

    Connection connect(ShardId shard) throws SQLException {
        return lab.impatient(shard);
    }

    @Override
    public void close() throws SQLException {
        movers.forEach(Coroutine::kill);
        for (ChaosWriter writer : writers) {
            writer.end();
        }
        ghosts.forEach(Runnable::run);
        ledger.close();
    }
}
