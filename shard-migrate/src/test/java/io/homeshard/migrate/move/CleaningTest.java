package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.test.Database;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Old rows go only when what they were copied to is still there, at any moment of a tenant's coming and going. */
class CleaningTest extends MovingShop {
    CleaningTest() {
        super(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 7})
    void cleaningAtSomeMomentsOfAToBToAToB(int mask) {
        thereAndBackAndThere(mask);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 6})
    void cleaningAtAllOtherMomentsOfAToBToAToB(int mask) {
        thereAndBackAndThere(mask);
    }

    /** Bit n of the mask: after move n everything is cleaned that may be. */
    private void thereAndBackAndThere(int mask) {
        List<MoveReport> moves = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            ShardId from = n % 2 == 0 ? s1 : s2;
            ShardId to = n % 2 == 0 ? s2 : s1;
            long order = Shop.order(lab, from, tenant);
            List<String> rows = Shop.rowsOf(lab, from, tenant);

            moves.add(lab.move(tenant, to));

            assertThat(Shop.rowsOf(lab, to, tenant)).isEqualTo(rows).hasSize(1 + 9 + 5 + n + 1);
            assertThat(order).isPositive();
            boolean cleans = (mask & 1 << n) != 0;
            if (cleans) {
                cleanWhatMayBe(moves);
            }
            assertThat(lab.owners(tenant)).containsExactly(to);
            assertThat(Shop.rowsOf(lab, to, tenant)).isEqualTo(rows);
            assertThat(Shop.rowsOf(lab, from, tenant)).hasSize(cleans ? 0 : rows.size());
        }
        assertThat(lab.engine().retained().stream()
                        .filter(move -> move.tenant().equals(tenant))
                        .map(MoveRecord::id))
                .hasSize((mask & 4) == 0 ? 1 : 0);
    }

    /** All are tried, the superseded too. */
    private void cleanWhatMayBe(List<MoveReport> moves) {
        for (int i = 0; i < moves.size(); i++) {
            UUID move = moves.get(i).move();
            MoveRecord record = lab.journal.find(move).orElseThrow();
            if (record.superseded()) {
                assertThatThrownBy(() -> lab.engine().clean(move, true)).isInstanceOf(MoveException.class);
            } else {
                assertThat(lab.engine().clean(move, true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
            }
        }
    }

    /** The move back takes the half-cleaned shard as its target; the older cleaning must never wake up in it. */
    @Test
    void tenantMovesBackOntoAHalfCleanedShard() {
        MoveReport there = lab.move(tenant, s2);
        List<String> rows = Shop.rowsOf(lab, s2, tenant);
        MoveEngine dying = lab.engine(MoveLab.CONFIG.sweepBatch(1), SimulatedCrash.at(Step.SWEEP_OLD));
        assertThatThrownBy(() -> dying.clean(there.move(), true)).isInstanceOf(SimulatedCrash.class);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty().hasSizeLessThan(rows.size());
        lab.expire(there.move());

        MoveReport back = lab.move(tenant, s1);

        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThatThrownBy(() -> lab.engine().clean(there.move(), true)).hasMessageContaining("later move");
        lab.engine(MoveLab.CONFIG.retention(Duration.ZERO)).cleanDue();
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(lab.journal.find(back.move()).orElseThrow().phase().finished())
                .isTrue();
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    /** The target's database is put back to what it was before the rows came, under the same name and address. */
    @Test
    void targetRestoredToBeforeTheCopyStopsCleaning() throws SQLException {
        Backup before = Backup.of(lab.cluster.shard(1));
        MoveReport report = lab.move(tenant, s2);
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        Backup now = Backup.of(lab.cluster.shard(1));
        before.restore();
        try {
            assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();

            assertThatThrownBy(() -> lab.engine().clean(report.move(), true))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("old rows of move")
                    .hasMessageContaining("shard s2 has no record of the tenant");
            assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        } finally {
            now.restore();
        }
        assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    /** A backup from the tenant's first stay on the target: owned it is, but not with these rows. */
    @Test
    void targetRestoredToAnEarlierStayStopsCleaning() throws SQLException {
        lab.move(tenant, s2);
        Backup firstStay = Backup.of(lab.cluster.shard(1));
        lab.move(tenant, s1);
        Shop.order(lab, s1, tenant);
        MoveReport last = lab.move(tenant, s2);
        Backup now = Backup.of(lab.cluster.shard(1));
        firstStay.restore();
        try {
            assertThatThrownBy(() -> lab.engine().clean(last.move(), true))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("owns the tenant at an older generation (generation=2, at least 4)");
            assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty();
        } finally {
            now.restore();
        }
    }

    @Test
    void anotherDatabaseUnderTheTargetsNameStopsCleaning() {
        MoveReport report = lab.move(tenant, s2);
        lab.run(s2, "UPDATE homeshard.shard_identity SET incarnation = incarnation + 1");
        try {
            assertThatThrownBy(() -> lab.engine().clean(report.move(), true))
                    .hasMessageContaining("another database than at activation");
            assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty();
        } finally {
            lab.run(s2, "UPDATE homeshard.shard_identity SET incarnation = incarnation - 1");
        }
    }

    /** A copy of a database beside it. */
    private record Backup(Database database, String name) {
        static Backup of(Database database) throws SQLException {
            Backup backup = new Backup(
                    database, "backup_" + UUID.randomUUID().toString().replace("-", ""));
            backup.onServer("CREATE DATABASE " + backup.name + " TEMPLATE " + database.name());
            return backup;
        }

        void restore() throws SQLException {
            onServer("DROP DATABASE " + database.name() + " WITH (FORCE)");
            onServer("ALTER DATABASE " + name + " RENAME TO " + database.name());
        }

        private void onServer(String sql) throws SQLException {
            try (Connection connection = DriverManager.getConnection(
                    database.jdbcUrl().replace("/" + database.name(), "/postgres"),
                    database.user(),
                    database.password())) {
                Jdbc.run(connection, sql);
            }
        }
    }

    /** As long as old rows are compared, which may take hours, nobody else takes the cleaning over, and it goes on. */
    @Test
    void cleaningMayTakeLongerThanALease() throws Exception {
        UUID move = lab.move(tenant, s2).move();
        MoveConfig hasty = MoveLab.SHORT_LEASE;
        MoveParts parts = lab.parts(hasty);
        CountDownLatch comparing = new CountDownLatch(1);
        long lease = hasty.lease().duration().toNanos();
        WriteGuard slow = (WriteGuard) Proxy.newProxyInstance(
                WriteGuard.class.getClassLoader(), new Class<?>[] {WriteGuard.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("identity")) {
                        comparing.countDown();
                        long until = System.nanoTime() + lease * 4 / 3;
                        MoveLab.await(() -> System.nanoTime() > until);
                    }
                    return method.invoke(lab.guard, arguments);
                });
        MoveEngine cleaner = MoveEngine.of(new MoveParts(
                parts.directory(), parts.journal(), slow, parts.pools(), parts.tables(), parts.clocks(), hasty));
        CompletableFuture<MoveReport> cleaned = CompletableFuture.supplyAsync(() -> cleaner.clean(move, true));
        assertThat(comparing.await(30, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> lab.engine().clean(move, true)).hasMessageContaining("is being cleaned by");
        assertThat(lab.engine(hasty.retention(Duration.ZERO)).cleanDue())
                .extracting(MoveReport::move)
                .doesNotContain(move);

        assertThat(cleaned.get(60, TimeUnit.SECONDS).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    @Test
    void whoIsRefusedGivesTheLeaseBack() {
        UUID move = lab.move(tenant, s2).move();
        lab.run(s2, "UPDATE homeshard.ownership SET generation = 1 WHERE tenant_id = ?", tenant.value());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> lab.engine().clean(move, true)).hasMessageContaining("at an older generation");
        }
        lab.run(s2, "UPDATE homeshard.ownership SET generation = 2 WHERE tenant_id = ?", tenant.value());
        assertThat(lab.engine().clean(move, true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }
}
