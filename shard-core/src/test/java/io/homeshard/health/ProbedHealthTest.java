package io.homeshard.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.observe.ShardListener;
import io.homeshard.pool.PoolConfig;
import io.homeshard.pool.ShardPools;
import io.homeshard.testing.FakeClocks;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A dead shard gets a new address. The clocks stand, so that no probe is due. */
class ProbedHealthTest {
    private static final ShardId S1 = ShardId.of("s1");

    private final FakeClocks clocks = new FakeClocks();
    private final AtomicInteger ups = new AtomicInteger();
    private final ShardPools pools = ShardPools.hikari(
            PoolConfig.defaults(), shard -> new ShardCredentials("nobody", ""), (connection, shard) -> {}, clocks);
    private final ShardHealth health = ShardHealth.probing(
            pools,
            new ShardListener() {
                @Override
                public void shardUp(ShardId shard) {
                    ups.incrementAndGet();
                }
            },
            clocks);

    @AfterEach
    void close() {
        health.close();
        pools.close();
    }

    @Test
    void itIsNoLongerDeadOnceAnybodyKnowsTheNewAddress() {
        Shard old = at("jdbc:postgresql://127.0.0.1:1/a");
        Shard now = at("jdbc:postgresql://127.0.0.1:1/b");
        SQLException cause = new SQLException("refused", "08001");
        health.failed(old, cause);
        assertThatThrownBy(() -> health.check(old)).isInstanceOf(ShardUnavailableException.class);
        assertThat(health.dead()).containsOnlyKeys(S1);

        assertThatCode(() -> health.check(now)).doesNotThrowAnyException();
        assertThat(health.dead()).isEmpty();
        assertThat(ups).hasValue(1);

        health.failed(now, cause);
        assertThatThrownBy(() -> health.check(now)).isInstanceOf(ShardUnavailableException.class);
    }

    private static Shard at(String url) {
        return new Shard(S1, 1, url, null, 100, ShardStatus.ACTIVE, false, 1);
    }
}
