package io.homeshard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.TenantSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard is changed from one shape to another, under traffic, without a moment in which a wrong write passes. */
class GuardInstallUpgradeTest {
    private static final int WRITERS = 8;

    private static final TenantSchema BULK = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("public")
            .writtenInBulk("public.note", "public.ev", "public.doc")
            .build();

    private UpgradeShard shard;
    private UpgradeTraffic traffic;

    /** Changes in each direction, for each shape. */
    int rounds() {
        return 4;
    }

    @BeforeEach
    void start() throws Exception {
        shard = new UpgradeShard(4);
        traffic = new UpgradeTraffic(shard, WRITERS);
    }

    @AfterEach
    void stop() throws Exception {
        traffic.close();
        shard.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"statement", "row"})
    void thereAndBackWithoutAnUnguardedMoment(String shape) throws Exception {
        String before = shard.untouchable();
        for (int round = 0; round < rounds(); round++) {
            shard.apply(shape);
            assertThat(shard.shard.gaps()).isNotEmpty();
            traffic.goOn(WRITERS);
            shard.install();
            assertThat(shard.shard.gaps()).isEmpty();
            traffic.goOn(WRITERS);
        }
        check(before);
    }

    private void check(String before) throws Exception {
        traffic.stop();
        System.out.printf(
                "upgrade under traffic: changes=%d, refused=%d, rightful=%d, passed=%d, other failures=%s%n",
                2 * rounds(),
                traffic.tally.refusals(),
                traffic.tally.rightfulWrites(),
                traffic.tally.passes(),
                traffic.tally.wrong());
        assertThat(traffic.tally.wrong()).isEmpty();
        assertThat(traffic.tally.passes()).isZero();
        assertThat(traffic.tally.refusals()).isGreaterThan(2L * rounds() * WRITERS);
        assertThat(traffic.tally.rightfulWrites()).isGreaterThan(2L * rounds() * WRITERS);
        assertThat(shard.untouchable()).isEqualTo(before);
    }

    @Test
    void theDeclarationAsksForAnotherShape() throws Exception {
        String before = shard.untouchable();
        for (int round = 0; round < rounds(); round++) {
            shard.install(BULK);
            assertThat(shard.shard.gaps()).isEmpty();
            traffic.goOn(WRITERS);
            shard.install();
            assertThat(shard.shard.gaps()).isEmpty();
            traffic.goOn(WRITERS);
        }
        check(before);
    }

    @Test
    void anUpgradeThatDropsFirstIsCaught() throws Exception {
        String before = shard.untouchable();
        shard.dropAll();
        traffic.await(() -> traffic.tally.passes() > 0);
        shard.install();
        traffic.stop();
        System.out.printf("careless upgrade: passed=%d%n", traffic.tally.passes());
        assertThat(traffic.tally.wrong()).anyMatch(what -> what.startsWith("passed in "));
        assertThat(shard.untouchable()).isNotEqualTo(before);
    }
}
