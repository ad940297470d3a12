package io.homeshard.examples.academy;

import static io.homeshard.examples.academy.AcademyFixture.ONE;
import static io.homeshard.examples.academy.AcademyFixture.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSwitchException;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** {@code @Transactional} and {@code JdbcClient} of Boot 4 through the auto-configuration. */
class CheckoutTest {
    private static final String COUNTS = """
            SELECT (SELECT count(*) FROM academy.orders) || ' orders, '
                || (SELECT count(*) FROM academy.order_lines) || ' lines, '
                || (SELECT coalesce(sum(seats), 0) FROM academy.seat_counters) || ' seats'""";

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private TestCluster cluster;
    private AcademyFixture academy;
    private Homeshard homeshard;
    private Checkout checkout;

    @BeforeEach
    void start(TestCluster started) {
        cluster = started;
        academy = AcademyFixture.start(cluster);
        homeshard = academy.homeshard();
        checkout = academy.bean(Checkout.class);
        countSeats(ONE);
        countSeats(TWO);
    }

    @AfterEach
    void stop() {
        academy.close();
    }

    @Test
    void aCheckoutCommitsWholeOnTheCompanysShard() {
        place(ONE, 0);
        assertThat(counts(0)).isEqualTo("1 orders, 3 lines, 1 seats");
        assertThat(counts(1)).isEqualTo("0 orders, 0 lines, 0 seats");
    }

    @Test
    void aCheckoutThatFailsAtItsLastStatementLeavesNothing() {
        assertThatThrownBy(() -> place(ONE, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seat counter");
        nothingIsSold();
        place(ONE, 0);
        assertThat(counts(0)).isEqualTo("1 orders, 3 lines, 1 seats");
    }

    @Test
    void anUnknownCompanyIsRefused() {
        assertThatThrownBy(() -> place(TenantId.of("nobody"), 0)).isInstanceOf(UnknownTenantException.class);
        nothingIsSold();
    }

    @Test
    void a1_anotherCompanyIsRefusedInsideATransaction() {
        TransactionTemplate transaction = new TransactionTemplate(academy.bean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> homeshard.run(
                        ONE,
                        () -> transaction.executeWithoutResult(status -> {
                            checkout.place(ONE.value(), UUID.randomUUID(), 0);
                            place(TWO, 0);
                        })))
                .isInstanceOf(TenantSwitchException.class)
                .hasMessageContaining(ONE.value())
                .hasMessageContaining(TWO.value());
        nothingIsSold();
    }

    private void place(TenantId company, int course) {
        homeshard.run(company, () -> checkout.place(company.value(), UUID.randomUUID(), course));
    }

    /** Of the first course only; a checkout of another one fails when it comes to count. */
    private void countSeats(TenantId company) {
        homeshard.run(
                company,
                () -> academy.bean(JdbcClient.class)
                        .sql("INSERT INTO academy.seat_counters VALUES (?, ?, 0)")
                        .params(company.value(), Courses.NAMES.get(0))
                        .update());
    }

    private void nothingIsSold() {
        assertThat(counts(0)).isEqualTo("0 orders, 0 lines, 0 seats");
        assertThat(counts(1)).isEqualTo("0 orders, 0 lines, 0 seats");
    }

    private String counts(int shard) {
        return JdbcClient.create(cluster.shard(shard).dataSource())
                .sql(COUNTS)
                .query(String.class)
                .single();
    }
}
