package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D43, at random: no acknowledged write is lost, doubled or resurrected when a tenant is frozen under load. */
class FreezeRaceTest {
    private static final int ROUNDS = Integer.getInteger("homeshard.test.rounds", 90);
    private static final int CONTROL_ROUNDS = 20;

    /** A table for each shape of the guard. */
    @ParameterizedTest
    @ValueSource(strings = {"ledger", "bulk_ledger", "part_ledger"})
    void acknowledgedWritesAreInTheSnapshotAndNothingFollowsIt(String table) throws Exception {
        playGuarded(table, ROUNDS / 3);
    }

    /** Plays rounds under the guard and checks that there was something to see. */
    static void playGuarded(String table, int rounds) throws Exception {
        long seed = seed();
        try (GuardedShop shop = GuardedShop.create();
                FreezeRace race = new FreezeRace(shop, table, new Random(seed))) {
            List<String> violations = race.play(rounds);
            RaceTally tally = race.tally();
            System.out.printf(
                    "freeze race on %s: pg=%s seed=%d %s violations=%d%n",
                    table, shop.majorVersion(), seed, tally, violations.size());
            assertThat(violations).isEmpty();
            assertThat(tally.freezes()).isEqualTo(rounds);
            assertThat(tally.acknowledged()).isPositive();
            assertThat(tally.refused()).isPositive();
        }
    }

    @Test
    void withoutTheGuardTheSameRoundsAreViolated() throws Exception {
        try (GuardedShop shop = GuardedShop.create()) {
            shop.disarm();
            try (FreezeRace race = new FreezeRace(shop, "ledger", new Random(seed()))) {
                List<String> violations = race.play(CONTROL_ROUNDS);
                System.out.printf(
                        "freeze race without guard: %s violations=%d, first: %.200s%n",
                        race.tally(), violations.size(), violations);
                assertThat(violations).isNotEmpty();
            }
        }
    }

    private static long seed() {
        return Long.getLong("homeshard.test.seed", 4711);
    }
}
