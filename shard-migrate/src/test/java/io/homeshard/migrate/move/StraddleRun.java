package io.homeshard.migrate.move;

import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.move.RoundsLedger.Outcome;
import io.homeshard.migrate.move.RoundsLedger.Write;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Moves a tenant to the other shard while one transaction, begun before, ends at a point of the move. */
final class StraddleRun {
    /** After the freeze, the snapshot, the copy, the verification, the flip. */
    static final List<CrashPoint> POINTS = List.of(
            CrashPoint.after(Step.FREEZE),
            CrashPoint.before(Step.SEND_TABLE),
            CrashPoint.after(Step.COPY_ROWS),
            CrashPoint.after(Step.ENTER_VERIFIED),
            CrashPoint.after(Step.FLIP));
    /** Looks for the lock again soon: here a freeze that is held up is the rule. */
    private static final MoveConfig CONFIG =
            MoveLab.CONFIG.freeze(MoveLab.CONFIG.freeze().backoff(Duration.ofMillis(10)));

    private final MoveLab lab;
    private final RoundsLedger ledger;
    private final Random random;
    private final String tenant;
    private boolean patient;
    private int runs;
    private int waitedFor;
    private int atThePoint;

    StraddleRun(MoveLab lab, RoundsLedger ledger, Random random) {
        this.lab = lab;
        this.ledger = ledger;
        this.random = random;
        this.tenant = ledger.tenant().value();
    }

    /** The transaction ends at the point and not before, which a mover reaches only when it does not wait. */
    StraddleRun patient() {
        patient = true;
        return this;
    }

    /** Moves that had to wait until the transaction had ended. */
    int waitedFor() {
        return waitedFor;
    }

    /** Transactions that tried to write at the point itself, which is too late. */
    int atThePoint() {
        return atThePoint;
    }

    void once(Straddle manner, CrashPoint point) throws Exception {
        ShardId home = lab.placement(ledger.tenant()).shard();
        ShardId away = lab.shard(home.equals(lab.shard(1)) ? 2 : 1);
        long known = 2L * ++runs;
        existing(home, known);
        Write write = manner.write("straddle " + runs, known + 1, known);
        try (Connection connection = lab.connect(home)) {
            connection.setTransactionIsolation(manner.isolation());
            connection.setAutoCommit(false);
            if (manner == Straddle.LONG_STATEMENT) {
                longStatement(connection, write, home, away);
            } else {
                manner.begin(connection, tenant, write);
                transaction(connection, manner, write, point, away);
            }
        }
    }

    /** An entry to be changed, acknowledged before. */
    private void existing(ShardId home, long id) {
        Write before = Straddle.INSERT.write("before " + runs, id, id);
        lab.run(home, "INSERT INTO app.entries VALUES (?, ?, ?)", tenant, id, id);
        lab.run(home, "INSERT INTO app.log VALUES (?, ?)", tenant, before.op());
        ledger.record(before, Outcome.ACKNOWLEDGED);
    }

    private void transaction(Connection connection, Straddle manner, Write write, CrashPoint point, ShardId away)
            throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        StepHook hook = here -> {
            if (here.equals(CrashPoint.before(Step.FREEZE))) {
                tried.countDown();
            } else if (here.equals(point) && frozen(away)) {
                reached.countDown();
                await(ended, Duration.ofSeconds(10));
            }
        };
        MoveEngine engine = lab.engine(CONFIG, hook);
        MovePlan plan = engine.plan(ledger.tenant(), away);
        CompletableFuture<MoveReport> move =
                CompletableFuture.supplyAsync(() -> engine.execute(plan, MoveListener.NONE));
        // whoever has written holds the freeze up, so that the point is not reached before it has ended
        if (manner.writesAtOnce()) {
            await(tried, Duration.ofSeconds(20));
            boolean overtaken =
                    await(reached, patient ? Duration.ofSeconds(20) : Duration.ofMillis(20 + random.nextInt(60)));
            waitedFor += overtaken ? 0 : 1;
        } else {
            await(reached, Duration.ofSeconds(20));
            atThePoint++;
        }
        ledger.record(write, end(connection, manner, write));
        ended.countDown();
        move.get(60, TimeUnit.SECONDS);
    }

    /** An attempt to freeze that has failed is no freeze. */
    private boolean frozen(ShardId away) {
        ShardId home = lab.shard(away.equals(lab.shard(1)) ? 2 : 1);
        return lab.state(home, ledger.tenant()) != OwnershipState.OWNED;
    }

    private Outcome end(Connection connection, Straddle manner, Write write) throws SQLException {
        boolean committing = false;
        try {
            manner.end(connection, tenant, write);
            committing = true;
            connection.commit();
            return Outcome.ACKNOWLEDGED;
        } catch (SQLException e) {
            connection.rollback();
            String state = String.valueOf(e.getSQLState());
            return !committing || state.startsWith("HS") || state.startsWith("40") ? Outcome.REFUSED : Outcome.UNKNOWN;
        }
    }

    /** Row by row, with a pause after each; the guard hears of it when all are there. */
    private void longStatement(Connection connection, Write write, ShardId home, ShardId away) throws Exception {
        long id = write.after().keySet().iterator().next();
        double seconds = (40 + random.nextInt(100)) / 1000.0;
        CompletableFuture<Outcome> statement = CompletableFuture.supplyAsync(() -> {
            try {
                connection.setAutoCommit(true);
                Jdbc.run(connection, """
                        WITH l AS (INSERT INTO app.log VALUES (?, ?)), p AS MATERIALIZED (SELECT pg_sleep(?))
                        INSERT INTO app.entries SELECT ?, ?, ? FROM p
                        """, tenant, write.op(), seconds, tenant, id, id);
                return Outcome.ACKNOWLEDGED;
            } catch (SQLException e) {
                return String.valueOf(e.getSQLState()).startsWith("HS") ? Outcome.REFUSED : Outcome.UNKNOWN;
            }
        });
        MoveLab.await(() -> statement.isDone()
                || lab.count(home, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") > 0);
        MoveEngine engine = lab.engine(CONFIG);
        engine.execute(engine.plan(ledger.tenant(), away), MoveListener.NONE);
        ledger.record(write, statement.get(20, TimeUnit.SECONDS));
    }

    private static boolean await(CountDownLatch latch, Duration atMost) {
        try {
            return latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
