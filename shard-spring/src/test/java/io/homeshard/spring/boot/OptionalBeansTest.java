package io.homeshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.cache.CacheConfig;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.observe.ShardListener;
import io.homeshard.placement.PlacementPolicy;
import io.homeshard.pool.PoolConfig;
import io.homeshard.spring.ShardCredentialsProvider;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class OptionalBeansTest {
    private static final TenantId ONE = TenantId.of("t_one");

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private final List<Route> routes = new CopyOnWriteArrayList<>();
    private final Set<ShardId> logins = new ConcurrentSkipListSet<>();

    @Test
    void theApplicationsOwnPolicyListenerLimitsAndLoginsAreUsed(TestCluster cluster) {
        ShardCredentialsProvider provider = shard -> {
            logins.add(shard.id());
            return new ShardCredentials(
                    cluster.shard(0).user(), cluster.shard(0).password());
        };
        PlacementPolicy last = (tenant, candidates) ->
                candidates.stream().map(Shard::id).max(ShardId::compareTo).orElseThrow();
        runner(cluster)
                .withPropertyValues("homeshard.login.username=nobody", "homeshard.login.password=wrong")
                .withBean(ShardCredentialsProvider.class, () -> provider)
                .withBean(PlacementPolicy.class, () -> last)
                .withBean(ShardListener.class, this::listener)
                .withBean(PoolConfig.class, () -> tiny())
                .withBean(CacheConfig.class, CacheConfig::defaults)
                .run(context -> {
                    Homeshard homeshard = context.getBean(Homeshard.class);
                    SchemaRollout rollout =
                            SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/spring"));
                    rollout.migrateDirectory();
                    for (int i = 0; i < 2; i++) {
                        homeshard
                                .shards()
                                .add(Shard.of("s" + (i + 1), cluster.shard(i).jdbcUrl()));
                    }
                    rollout.migrate();
                    assertThat(homeshard.tenants().create(ONE).shard()).isEqualTo(ShardId.of("s2"));
                    homeshard.run(ONE, () -> {
                        try (Connection only = homeshard.dataSource().getConnection()) {
                            assertThat(only.isValid(1)).isTrue();
                            assertThatThrownBy(homeshard.dataSource()::getConnection)
                                    .hasCauseInstanceOf(ShardUnavailableException.class);
                        }
                    });
                    assertThat(routes).extracting(Route::tenant).contains(ONE);
                    assertThat(logins).containsExactly(ShardId.of("s1"), ShardId.of("s2"));
                });
    }

    @Test
    void ofTwoPoliciesNoneIsGuessed(TestCluster cluster) {
        PlacementPolicy first = (tenant, candidates) -> candidates.get(0).id();
        runner(cluster)
                .withBean("one", PlacementPolicy.class, () -> first)
                .withBean("two", PlacementPolicy.class, () -> first)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    private ShardListener listener() {
        return new ShardListener() {
            @Override
            public void routeResolved(Route route) {
                routes.add(route);
            }
        };
    }

    private static PoolConfig tiny() {
        PoolConfig defaults = PoolConfig.defaults();
        return new PoolConfig(1, 0, 1, Duration.ofMillis(250), defaults.idleTimeout(), defaults.maxLifetime());
    }

    private static ApplicationContextRunner runner(TestCluster cluster) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .withPropertyValues(HomeshardAutoConfigurationTest.properties(cluster));
    }
}
