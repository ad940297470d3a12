package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** D43, at random: no acknowledged write is lost, doubled or resurrected when a tenant is frozen under load. */
class FreezeRaceTest {
    private static final int ROUNDS = Integer.getInteger("homeshard.test.rounds", 200);
    private static final int CONTROL_ROUNDS = 20;
    private static final long SEED = Long.getLong("homeshard.test.seed", 4711);

    @Test
    void acknowledgedWritesAreInTheSnapshotAndNothingFollowsIt() throws Exception {
        List<String> violations = new ArrayList<>();
        RaceTally tally;
        try (GuardedShop shop = GuardedShop.create();
                FreezeRace race = new FreezeRace(shop)) {
            play(race, ROUNDS, violations);
            tally = race.tally();
        }
        System.out.printf("freeze race: rounds=%d seed=%d %s violations=%d%n", ROUNDS, SEED, tally, violations.size());
        assertThat(violations).isEmpty();
        assertThat(tally.acknowledged()).isPositive();
        assertThat(tally.refused()).isPositive();
    }

    @Test
    void withoutTheGuardTheSameRoundsAreViolated() throws Exception {
        List<String> violations = new ArrayList<>();
        try (GuardedShop shop = GuardedShop.create()) {
            shop.disarm();
            try (FreezeRace race = new FreezeRace(shop)) {
                play(race, CONTROL_ROUNDS, violations);
            }
        }
        System.out.printf("freeze race without guard: rounds=%d violations=%d%n", CONTROL_ROUNDS, violations.size());
        assertThat(violations).isNotEmpty();
    }

    private static void play(FreezeRace race, int rounds, List<String> violations) throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < rounds; round++) {
            for (String violation : race.round(new Random(random.nextLong()))) {
                violations.add("round " + round + ": " + violation);
            }
        }
    }
}
