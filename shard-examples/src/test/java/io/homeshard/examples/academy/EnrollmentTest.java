package io.homeshard.examples.academy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.claim.ClaimSweep;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class EnrollmentTest {
    private static final TenantId ONE = TenantId.of("company-one");
    private static final TenantId TWO = TenantId.of("company-two");

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private TestCluster cluster;
    private ConfigurableApplicationContext application;
    private Enrollment enrollment;

    @BeforeEach
    void start(TestCluster started) {
        cluster = started;
        application = new SpringApplicationBuilder(AcademyApplication.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(
                        "homeshard.directory.url=" + cluster.directory().jdbcUrl(),
                        "homeshard.directory.username=" + cluster.directory().user(),
                        "homeshard.directory.password=" + cluster.directory().password(),
                        "homeshard.login.username=" + cluster.shard(0).user(),
                        "homeshard.login.password=" + cluster.shard(0).password(),
                        "homeshard.tables.schemas=academy",
                        "homeshard.tables.reference=academy.currencies")
                .run();
        Homeshard homeshard = application.getBean(Homeshard.class);
        SchemaRollout rollout = SchemaRollout.of(
                homeshard, flyway -> flyway.locations("classpath:db/academy").schemas("academy"));
        rollout.migrateDirectory();
        homeshard.shards().add(Shard.of("s1", cluster.shard(0).jdbcUrl()));
        homeshard.shards().add(Shard.of("s2", cluster.shard(1).jdbcUrl()));
        rollout.migrate();
        homeshard.tenants().createOn(ONE, ShardId.of("s1"));
        homeshard.tenants().createOn(TWO, ShardId.of("s2"));
        enrollment = application.getBean(Enrollment.class);
    }

    @AfterEach
    void stop() {
        application.close();
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
