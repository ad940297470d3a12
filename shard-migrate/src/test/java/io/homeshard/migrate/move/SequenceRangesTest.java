package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each shard's sequence counts in a range of its own: who comes must not use up what others count by. */
class SequenceRangesTest extends MovingShop {
    SequenceRangesTest() {
        super(2);
    }

    @Test
    void aTenantThatComesLeavesTheSequenceOfTheOthersAlone() throws SQLException {
        lab.run(s1, "ALTER SEQUENCE app.invoice_number MAXVALUE 1000000");
        lab.run(
                s2,
                "ALTER SEQUENCE app.invoice_number START 1000001 MINVALUE 1000001 MAXVALUE 2000000 RESTART 1000001");
        TenantId there = TenantId.of("there " + UUID.randomUUID());
        lab.tenant(there, s2);
        Shop.fill(lab, s2, there, 3);

        assertThat(lab.move(there, s1).outcome()).isEqualTo(MoveReport.Outcome.MOVED);

        assertThat(Shop.order(lab, s1, tenant)).isPositive();
        assertThat(Shop.order(lab, s1, there)).isPositive();
        assertThat(lab.move(tenant, s2).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(Shop.order(lab, s2, tenant)).isPositive();
    }
}
