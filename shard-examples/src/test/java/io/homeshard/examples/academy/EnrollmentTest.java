package io.homeshard.examples.academy;

import static io.homeshard.examples.academy.AcademyFixture.ONE;
import static io.homeshard.examples.academy.AcademyFixture.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.claim.ClaimSweep;
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
