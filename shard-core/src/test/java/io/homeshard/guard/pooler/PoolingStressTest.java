package io.homeshard.guard.pooler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No acknowledged write is lost, doubled or resurrected when tenants are frozen whose clients share two sessions. */
class PoolingStressTest {
    private static final int ROUNDS = Integer.getInteger("homeshard.test.rounds", 45);
    private static final int CONTROL_ROUNDS = 8;
    private static final long SEED = Long.getLong("homeshard.test.seed", 4711);

    @Test
    void acknowledgedWritesAreInTheSnapshotAndNothingFollowsIt() throws Exception {
        try (PooledShard shard = PooledShard.create();
                PgBouncer bouncer = PgBouncer.start(shard.database(), Pooling.transactions(2));
                PoolingStress stress = new PoolingStress(shard, bouncer, SEED)) {
            List<String> violations = stress.play(ROUNDS);
            System.out.printf("pooling stress: seed=%d %s violations=%d%n", SEED, stress, violations.size());
            assertThat(violations).isEmpty();
            assertThat(stress.freezes()).isGreaterThanOrEqualTo(ROUNDS);
            assertThat(stress.acknowledged()).isPositive();
            assertThat(stress.refused()).isPositive();
        }
    }

    @Test
    void withoutTheGuardTheSameRoundsAreViolated() throws Exception {
        try (PooledShard shard = PooledShard.create()) {
            shard.disarm();
            try (PgBouncer bouncer = PgBouncer.start(shard.database(), Pooling.transactions(2));
                    PoolingStress stress = new PoolingStress(shard, bouncer, SEED)) {
                List<String> violations = stress.play(CONTROL_ROUNDS);
                System.out.printf("pooling stress without guard: %s violations=%d%n", stress, violations.size());
                assertThat(violations).isNotEmpty();
            }
        }
    }
}
