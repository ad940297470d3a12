package io.homeshard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard is changed from one shape to another, under traffic, without a moment in which a wrong write passes. */
class GuardInstallUpgradeTest {
    private static final int WRITERS = 8;
    private static final int ROUNDS = 20;

    private UpgradeShard shard;
    private UpgradeTraffic traffic;

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
        for (int round = 0; round < ROUNDS; round++) {
            shard.apply(shape);
            assertThat(shard.shard.gaps()).isNotEmpty();
            traffic.goOn(WRITERS);
            shard.install();
            assertThat(shard.shard.gaps()).isEmpty();
            traffic.goOn(WRITERS);
        }
        traffic.stop();
        assertThat(traffic.tally.wrong()).isEmpty();
        assertThat(traffic.tally.passes()).isZero();
        assertThat(traffic.tally.refusals()).isGreaterThan(2 * ROUNDS * WRITERS);
        assertThat(traffic.tally.rightfulWrites()).isGreaterThan(2 * ROUNDS * WRITERS);
        assertThat(shard.untouchable()).isEqualTo(before);
        System.out.println(shape + ": " + traffic.tally.refusals() + " refused, " + traffic.tally.rightfulWrites() + " rightful");
    }

    @Test
    void anUpgradeThatDropsFirstIsCaught() throws Exception {
        String before = shard.untouchable();
        shard.dropAll();
        traffic.await(() -> traffic.tally.passes() > 0);
        shard.install();
        traffic.stop();
        assertThat(traffic.tally.wrong()).anyMatch(what -> what.startsWith("passed in "));
        assertThat(shard.untouchable()).isNotEqualTo(before);
    }
}
