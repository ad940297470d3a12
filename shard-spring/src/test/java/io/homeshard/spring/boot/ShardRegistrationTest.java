package io.homeshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ShardRegistrationTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private TestCluster cluster;
    private ApplicationContextRunner runner;

    @BeforeEach
    void describe(TestCluster started) {
        cluster = started;
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .withPropertyValues(HomeshardAutoConfigurationTest.properties(cluster))
                .withPropertyValues(
                        "homeshard.shards.s1.url=" + cluster.shard(0).jdbcUrl(),
                        "homeshard.shards.s2.url=" + cluster.shard(1).jdbcUrl(),
                        "homeshard.shards.s2.weight=50");
    }

    @Test
    void startsOnAnEmptyDirectoryAndRegistersAfterItsRollOut() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            Homeshard homeshard = context.getBean(Homeshard.class);
            SchemaRollout rollout = rollout(homeshard);
            rollout.migrateDirectory();
            assertThat(homeshard.shards().list()).isEmpty();
            context.getBean(ShardRegistration.class).register();
            rollout.migrate();
            assertThat(homeshard.shards().list())
                    .extracting(Shard::id, Shard::weight, Shard::status)
                    .containsExactly(
                            tuple(ShardId.of("s1"), 100, ShardStatus.ACTIVE),
                            tuple(ShardId.of("s2"), 50, ShardStatus.ACTIVE));
            homeshard.tenants().createOn(TenantId.of("t_one"), ShardId.of("s1"));
        });
    }

    @Test
    void registersAtStartWhenTheSchemaIsThereAlsoLazilyAndAgain() {
        migrateDirectory();
        for (int i = 0; i < 2; i++) {
            runner.withInitializer(context ->
                            context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                    .run(context -> assertThat(
                                    context.getBean(Homeshard.class).shards().list())
                            .hasSize(2));
        }
    }

    @Test
    void aDifferenceEndsTheStartByThePropertysNameOverwritesNothingAndClosesWhatWasStarted() {
        migrateDirectory();
        runner.run(context -> assertThat(context).hasNotFailed());
        Set<Thread> before = feeds();
        runner.withPropertyValues("homeshard.shards.s2.weight=70").run(context -> {
            assertThat(context.getStartupFailure())
                    .hasMessageContaining("homeshard.shards.s2.weight")
                    .hasMessageContaining("property=70, directory=50");
        });
        assertThat(feeds()).isSubsetOf(before);
        runner.withPropertyValues("homeshard.shards.s1.region=eu").run(context -> failed(context, "s1.region"));
        runner.withPropertyValues(
                        "homeshard.shards.s2.url=" + cluster.directory().jdbcUrl())
                .run(context -> failed(context, "s2.url"));
        runner.run(context -> assertThat(context.getBean(Homeshard.class)
                        .shards()
                        .find(ShardId.of("s2"))
                        .orElseThrow()
                        .weight())
                .isEqualTo(50));
    }

    @Test
    void anAddressThatIsRegisteredUnderAnotherNameEndsTheStart() {
        migrateDirectory();
        runner.run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("homeshard.shards.s3.url=" + cluster.shard(0).jdbcUrl())
                .run(context -> failed(context, "s3.url"));
    }

    private static void failed(AssertableApplicationContext context, String property) {
        assertThat(context.getStartupFailure()).hasMessageContaining("homeshard.shards." + property);
    }

    private void migrateDirectory() {
        runner.run(context -> rollout(context.getBean(Homeshard.class)).migrateDirectory());
    }

    private static SchemaRollout rollout(Homeshard homeshard) {
        return SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/spring"));
    }

    private static Set<Thread> feeds() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("homeshard-feed") && thread.isAlive())
                .collect(Collectors.toSet());
    }
}
