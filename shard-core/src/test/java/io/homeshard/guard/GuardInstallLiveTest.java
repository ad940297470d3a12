package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guard is put on tables that are in use: nobody waits long behind it, and it gives up whole. */
class GuardInstallLiveTest {
    private static final String TRIGGERS = """
            SELECT COALESCE(string_agg(concat_ws(' ', t.oid, t.tgrelid::regclass, t.tgname, t.tgenabled, t.tgfoid, t.xmin),
                                       ',' ORDER BY t.oid), '') FROM pg_trigger t
             WHERE t.tgname LIKE 'zz%'""";

    /** What the machine may add, which others use too; far from what a long queue would take. */
    private static final long MARGIN_MS = 900;

    private static final long NARROW_MARGIN_MS = 400;

    private GuardedShard shard;
    private TenantId mine;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.empty();
        mine = shard.owned();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private interface Step {
        void run(WriteGuard guard, Connection owner) throws SQLException;
    }

    @Test
    void behindALongTransactionWritersWaitNoLongerThanTheLockTimeout() throws Exception {
        shard.sql("CREATE TABLE note (tenant_id text, id int)");
        longestWait("install", (guard, owner) -> guard.install(owner, NOTES, SOON));
        assertThat(shard.gaps()).isEmpty();
        fails("HS001", () -> shard.sql("INSERT INTO note VALUES ('x', 1)"));
    }

    @Test
    void theSameHoldsForARemoval() throws Exception {
        shard.sql("CREATE TABLE note (tenant_id text, id int)");
        shard.install(NOTES);
        longestWait("removal", (guard, owner) -> guard.remove(owner, SOON));
        shard.sql("INSERT INTO note VALUES ('x', 1)");
    }

    private void longestWait(String what, Step step) throws Exception {
        try (InstallLoad load = new InstallLoad(shard, 8, "INSERT INTO note VALUES (?, 1)", mine);
                Connection slow = shard.connect();
                Connection owner = shard.connect()) {
            slow.setAutoCommit(false);
            Jdbc.update(slow, "INSERT INTO note VALUES (?, 2)", mine.value());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            List<Long> between = new ArrayList<>();
            PausingClocks clocks = new PausingClocks(pause -> {
                between.add(load.writes());
                if (System.nanoTime() > end && !slow.getAutoCommit()) {
                    slow.commit();
                    slow.setAutoCommit(true);
                }
            });
            step.run(new SqlWriteGuard(clocks), owner);
            long stall = load.longestMillis();
            System.out.printf(
                    "%s behind a transaction of 2 s: tries=%d, longest stall of 8 writers=%d ms (lock timeout %d ms)%n",
                    what, clocks.pauses() + 1, stall, SOON.toMillis());
            assertThat(stall).isLessThan(SOON.toMillis() + MARGIN_MS);
            assertThat(clocks.pauses()).isBetween(3, 12);
            assertThat(between).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void busyPartitionsAreNotWaitedForOneAfterTheOtherWithWritersBehind() throws Exception {
        int leaves = 6;
        shard.sql("CREATE TABLE ev (tenant_id text, p int) PARTITION BY LIST (p)");
        for (int p = 1; p <= leaves; p++) {
            shard.sql("CREATE TABLE ev" + p + " PARTITION OF ev FOR VALUES IN (" + p + ")");
        }
        Duration lockTimeout = Duration.ofMillis(300);
        Duration held = Duration.ofMillis(200);
        try (InstallLoad load = new InstallLoad(shard, 2, "INSERT INTO ev VALUES (?, 1)", mine);
                InstallObstacles obstacles = new InstallObstacles(shard, held);
                Connection owner = shard.connect()) {
            for (int p = 2; p <= leaves; p++) {
                obstacles.hold("ev" + p);
            }
            obstacles.watch(GuardedShard.pid(owner));
            shard.guard.install(owner, NOTES, lockTimeout);
            long stall = load.longestMillis();
            System.out.printf(
                    "install on %d partitions, %d of them busy: longest stall=%d ms (lock timeout %d ms)%n",
                    leaves, leaves - 1, stall, lockTimeout.toMillis());
            assertThat(stall).isLessThan(lockTimeout.toMillis() + NARROW_MARGIN_MS);
            assertThat(obstacles.released()).isEqualTo(leaves - 1);
        }
        assertThat(shard.gaps()).isEmpty();
    }

    @Test
    void whatItGivesUpIsAsItWas() throws SQLException {
        shard.sql("CREATE TABLE busy (tenant_id text)", "CREATE TABLE done (tenant_id text)");
        shard.sql("CREATE TABLE ev (tenant_id text, p int) PARTITION BY LIST (p)");
        shard.sql("CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1)");
        shard.sql("CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2)");
        try (Connection writer = shard.connect();
                Connection owner = shard.connect()) {
            writer.setAutoCommit(false);
            Jdbc.run(writer, "INSERT INTO ev2 VALUES ('x', 2)");
            String before = GuardedShard.text(owner, TRIGGERS);
            giveUp(owner, "public.ev");
            assertThat(GuardedShard.text(owner, TRIGGERS + " AND t.tgrelid::regclass::text LIKE 'ev%'"))
                    .isEqualTo(before)
                    .isEmpty();
            Jdbc.run(owner, "INSERT INTO ev VALUES ('x', 1)");
            writer.commit();
            shard.install(NOTES);
            Jdbc.run(writer, "SELECT FROM ev2");
            Jdbc.run(owner, "ALTER TABLE busy DISABLE TRIGGER zz_homeshard_guard_i");
            Jdbc.run(writer, "LOCK TABLE busy IN ROW EXCLUSIVE MODE");
            String guarded = GuardedShard.text(owner, TRIGGERS);
            giveUp(owner, "public.busy");
            assertThat(GuardedShard.text(owner, TRIGGERS)).isEqualTo(guarded);
            fails("HS001", () -> Jdbc.run(owner, "UPDATE ev SET p = 2"));
        }
        shard.install(NOTES);
        assertThat(shard.gaps()).isEmpty();
    }

    private static void giveUp(Connection owner, String table) {
        WriteGuard impatient = new SqlWriteGuard(new Clocking(pause -> {}));
        SQLException failure =
                catchThrowableOfType(SQLException.class, () -> impatient.install(owner, NOTES, Duration.ofMillis(1)));
        assertThat(failure.getSQLState()).isEqualTo("55P03");
        assertThat(failure.getMessage())
                .contains("table " + table, "tries=40", "lockTimeout=1ms", "end long transactions");
    }

    @Test
    void installersAtTheSameTimeDoNotFailOnEachOther() throws Exception {
        shard.sql("CREATE TABLE ev (tenant_id text, p int) PARTITION BY LIST (p)");
        for (int p = 1; p <= 6; p++) {
            shard.sql("CREATE TABLE ev" + p + " PARTITION OF ev FOR VALUES IN (" + p + ")");
            shard.sql("CREATE TABLE note" + p + " (tenant_id text)");
        }
        int installers = 4;
        CyclicBarrier together = new CyclicBarrier(installers);
        ExecutorService threads = Executors.newFixedThreadPool(installers);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < installers; i++) {
                all.add(threads.submit(() -> {
                    together.await();
                    shard.install(NOTES);
                    return null;
                }));
            }
            for (Future<?> installer : all) {
                installer.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(shard.gaps()).isEmpty();
        fails("HS001", () -> shard.sql("INSERT INTO ev6 VALUES ('x', 6)"));
    }

    @Test
    void aTableThatIsDroppedMeanwhileIsNotMissed() throws SQLException {
        shard.sql("CREATE TABLE aa (tenant_id text)", "CREATE TABLE bb (tenant_id text)");
        try (Connection writer = shard.connect();
                Connection owner = shard.connect()) {
            writer.setAutoCommit(false);
            Jdbc.run(writer, "INSERT INTO aa VALUES ('x')");
            Clocking clocks = new Clocking(pause -> {
                shard.sql("DROP TABLE IF EXISTS bb");
                writer.commit();
            });
            assertThat(new SqlWriteGuard(clocks).install(owner, NOTES, SOON))
                    .singleElement()
                    .hasToString("public.aa");
        }
        assertThat(shard.gaps()).isEmpty();
    }
}
