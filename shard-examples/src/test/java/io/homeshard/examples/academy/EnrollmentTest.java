package io.homeshard.examples.academy;

import static io.homeshard.examples.academy.AcademyFixture.ONE;
import static io.homeshard.examples.academy.AcademyFixture.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.cache.CacheConfig;
import io.homeshard.claim.ClaimSweep;
import io.homeshard.migrate.TenantMover;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.test.Database;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

class EnrollmentTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private TestCluster cluster;
    private AcademyFixture academy;
    private Enrollment enrollment;

    @BeforeEach
    void start(TestCluster started) {
        cluster = started;
        academy = AcademyFixture.start(cluster);
        enrollment = academy.bean(Enrollment.class);
    }

    @AfterEach
    void stop() {
        academy.close();
    }

    @Test
    void anAddressIsUniqueOverCompaniesOnDifferentShards() {
        enrollment.enroll(ONE, " Ann@Example.org ", "Ann");
        assertThatThrownBy(() -> enrollment.enroll(TWO, "ann@example.ORG", "Another Ann"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("email is taken");
        assertThat(differences()).isZero();
    }

    @Test
    void aCrashAfterTheClaimIsUndoneAndTheAddressIsFreeAgain() {
        enrollment.claim(ONE, "ann@example.org", UUID.randomUUID(), Duration.ofMillis(1));
        assertThat(sweepUntilDecided().dropped()).isEqualTo(1);
        enrollment.enroll(TWO, "ann@example.org", "Ann");
        assertThat(differences()).isZero();
    }

    @Test
    void aCrashAfterTheLearnerIsFinished() {
        UUID learner = UUID.randomUUID();
        String address = enrollment.claim(ONE, "ann@example.org", learner, Duration.ofMillis(1));
        enrollment.insert(ONE, learner, address, "Ann");
        assertThat(differences()).isEqualTo(1);
        assertThat(sweepUntilDecided().confirmed()).isEqualTo(1);
        assertThat(differences()).isZero();
        assertThatThrownBy(() -> enrollment.enroll(TWO, "ann@example.org", "Another Ann"))
                .hasMessage("email is taken");
    }

    /** The shard that the company has left keeps the learner's row for a while; a stale route must not believe it. */
    @Test
    void aStaleRouteIsRefusedInsteadOfBelievingWhatAMoveHasLeftBehind() throws Exception {
        UUID learner = UUID.randomUUID();
        String address = enrollment.claim(ONE, "ann@example.org", learner, Duration.ofMillis(1));
        enrollment.insert(ONE, learner, address, "Ann");
        try (Homeshard stale = Homeshard.builder()
                .directory(cluster.directory().dataSource())
                .credentials(shard -> new ShardCredentials(
                        cluster.shard(0).user(), cluster.shard(0).password()))
                .tables(academy.homeshard().tables())
                .cache(CacheConfig.defaults().withRevalidateAfter(Duration.ofHours(1)))
                .listen(false)
                .build()) {
            DataSource routed = stale.dataSource();
            Enrollment old = new Enrollment(
                    stale,
                    JdbcClient.create(routed),
                    new DataSourceTransactionManager(routed),
                    cluster.directory().dataSource());
            stale.call(ONE, () -> stale.router().route());
            TenantMover mover = TenantMover.of(academy.homeshard());
            mover.execute(mover.plan(ONE, ShardId.of("s2")));
            academy.homeshard()
                    .run(
                            ONE,
                            () -> academy.bean(JdbcClient.class)
                                    .sql("DELETE FROM academy.learners WHERE tenant_id = ?")
                                    .params(ONE.value())
                                    .update());

            assertThat(old.repair().confirmed())
                    .as("by the row that was left behind")
                    .isZero();
            assertThat(differences()).isZero();
        }
    }

    private int differences() {
        return enrollment.differences(
                cluster.shards().stream().map(Database::dataSource).toList());
    }

    /** The claim runs out by the directory's clock, so it is asked until it has. */
    private ClaimSweep sweepUntilDecided() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            ClaimSweep sweep = enrollment.repair();
            if (sweep.confirmed() + sweep.dropped() > 0) {
                return sweep;
            }
            assertThat(System.nanoTime()).as("claim must run out within 10 s").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
