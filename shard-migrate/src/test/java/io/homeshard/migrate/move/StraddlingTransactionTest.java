package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.move.RoundsLedger.Outcome;
import io.homeshard.migrate.move.RoundsLedger.Verdict;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A transaction that was open before the freeze ends at some point of the move: it has committed before the snapshot, or
 * it fails. Seed: {@code homeshard.test.seed}.
 */
class StraddlingTransactionTest {
    private static final int RUNS = Integer.getInteger("homeshard.test.straddle.runs", 35);
    private static final int LONG_RUNS = Integer.getInteger("homeshard.test.straddle.runs.long", 1000);
    /** Whatever closes a tenant asks for its lock, should the freeze not have done so. */
    private static final String LOCK = "PERFORM pg_advisory_xact_lock(hashtextextended(OLD.tenant_id, 4711));";

    private static MoveLab lab;
    private final TenantId tenant = TenantId.of("acme " + System.nanoTime());

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, RoundsLedger.TABLES, RoundsLedger.DDL);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @BeforeEach
    void create() throws SQLException {
        lab.tenant(tenant, lab.shard(1));
        lab.run(lab.shard(1), "INSERT INTO app.counter VALUES (?, 0)", tenant.value());
    }

    /** Each manner of writing at each point, once. */
    @Test
    void d43_eachMannerAtEachPoint() throws Exception {
        runs(RUNS);
    }

    @Test
    @Tag("long")
    void d43_thousandRuns() throws Exception {
        runs(LONG_RUNS);
    }

    /** The judge: a freeze that waits for nobody loses writes, and this test sees it. Rules 7 and 9. */
    @Test
    void rule9_freezeThatWaitsForNobodyLosesAWrite() throws Exception {
        try (MissingRule fault = MissingRule.on(
                        lab,
                        "homeshard.freeze",
                        "PERFORM pg_advisory_xact_lock(hashtextextended($1, 4711));",
                        "PERFORM 1;")
                .and("homeshard.closing", LOCK, "PERFORM 1;")) {
            assertThat(lostBy(Straddle.INSERT)).as("%s", fault).isPositive();
        }
    }

    /** Rule 7: a second formula for the tenant's lock excludes nobody. */
    @Test
    void rule7_freezeWithALockKeyOfItsOwnLosesAWrite() throws Exception {
        try (MissingRule fault = MissingRule.on(
                        lab, "homeshard.freeze", "hashtextextended($1, 4711)", "hashtextextended($1, 4712)")
                .and("homeshard.closing", LOCK, LOCK.replace("4711", "4712"))) {
            assertThat(lostBy(Straddle.UPDATE)).as("%s", fault).isPositive();
        }
    }

    private int lostBy(Straddle manner) throws Exception {
        RoundsLedger ledger = new RoundsLedger(tenant);
        StraddleRun run = new StraddleRun(lab, ledger, new Random(1)).patient();
        // after the comparison, which would notice
        run.once(manner, CrashPoint.after(Step.ENTER_VERIFIED));
        return ledger.judge(lab, lab.placement(tenant).shard()).lost();
    }

    private void runs(int runs) throws Exception {
        long seed = Long.getLong("homeshard.test.seed", System.nanoTime());
        Random random = new Random(seed);
        RoundsLedger ledger = new RoundsLedger(tenant);
        StraddleRun run = new StraddleRun(lab, ledger, random);
        int manners = Straddle.values().length;
        for (int i = 0; i < runs; i++) {
            CrashPoint point = StraddleRun.POINTS.get(i / manners % StraddleRun.POINTS.size());
            run.once(Straddle.values()[i % manners], point);
        }
        Verdict verdict = ledger.judge(lab, lab.placement(tenant).shard());
        System.out.printf(
                "open transactions: seed=%d runs=%d waited_for=%d at_the_point=%d acknowledged=%d refused=%d unknown=%d %s server=%s%n",
                seed,
                runs,
                run.waitedFor(),
                run.atThePoint(),
                ledger.count(Outcome.ACKNOWLEDGED),
                ledger.count(Outcome.REFUSED),
                ledger.count(Outcome.UNKNOWN),
                verdict,
                lab.query(lab.shard(1), "SHOW server_version").get(0));
        assertThat(verdict.clean()).as("seed %s: %s", seed, verdict.which()).isTrue();
        assertThat(ledger.count(Outcome.UNKNOWN)).isZero();
        assertThat(run.waitedFor()).as("the freeze waited").isPositive();
        assertThat(run.atThePoint()).as("too late, and refused").isPositive();
        assertThat(ledger.count(Outcome.REFUSED)).isGreaterThanOrEqualTo(run.atThePoint());
        assertThat(ledger.count(Outcome.ACKNOWLEDGED)).isPositive();
    }
}
