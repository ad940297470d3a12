package io.homeshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.NoTenantException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.spring.ShardRoutingDataSource;
import io.homeshard.spring.web.TenantFilter;
import io.homeshard.spring.web.TenantResolver;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class HomeshardAutoConfigurationTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private static final TenantId ONE = TenantId.of("t_one");
    private static final TenantId TWO = TenantId.of("t_two");

    private ApplicationContextRunner runner(TestCluster cluster) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HomeshardAutoConfiguration.class, HomeshardWebAutoConfiguration.class))
                .withPropertyValues(properties(cluster));
    }

    static String[] properties(TestCluster cluster) {
        return new String[] {
            "homeshard.directory.url=" + cluster.directory().jdbcUrl(),
            "homeshard.directory.username=" + cluster.directory().user(),
            "homeshard.directory.password=" + cluster.directory().password(),
            "homeshard.login.username=" + cluster.shard(0).user(),
            "homeshard.login.password=" + cluster.shard(0).password(),
            "homeshard.tables.schemas=app"
        };
    }

    @Test
    void routesJdbcTemplateAndTransactionsByTheScopeAlsoToAShardAddedAtRunTime(TestCluster cluster) {
        runner(cluster).run(context -> {
            Homeshard homeshard = context.getBean(Homeshard.class);
            JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
            TransactionTemplate transaction =
                    new TransactionTemplate(new DataSourceTransactionManager(context.getBean(DataSource.class)));
            SchemaRollout rollout = rollout(homeshard);
            homeshard.shards().add(Shard.of("s1", cluster.shard(0).jdbcUrl()));
            rollout.migrate();
            homeshard.tenants().createOn(ONE, ShardId.of("s1"));
            homeshard.run(
                    ONE,
                    () -> transaction.executeWithoutResult(
                            status -> jdbc.update("INSERT INTO app.note VALUES (?, 1)", ONE.value())));

            homeshard.shards().add(Shard.of("s2", cluster.shard(1).jdbcUrl()));
            rollout.migrate();
            homeshard.tenants().createOn(TWO, ShardId.of("s2"));
            assertThat(homeshard.<Integer, RuntimeException>call(
                            TWO, () -> jdbc.queryForObject("SELECT count(*) FROM app.note", Integer.class)))
                    .isZero();
            assertThat(homeshard.<Integer, RuntimeException>call(
                            ONE, () -> jdbc.queryForObject("SELECT count(*) FROM app.note", Integer.class)))
                    .isOne();
        });
    }

    @Test
    void failsClosedWithoutScopeAndForAnUnknownTenant(TestCluster cluster) {
        runner(cluster).run(context -> {
            Homeshard homeshard = context.getBean(Homeshard.class);
            rollout(homeshard);
            DataSource routed = context.getBean(DataSource.class);
            assertThat(routed).isInstanceOf(ShardRoutingDataSource.class);
            assertThatThrownBy(routed::getConnection).hasRootCauseInstanceOf(NoTenantException.class);
            assertThatThrownBy(() ->
                            homeshard.run(ONE, () -> routed.getConnection().close()))
                    .isInstanceOf(UnknownTenantException.class);
            ShardRoutingDataSource door = context.getBean(ShardRoutingDataSource.class);
            assertThatThrownBy(() -> door.setDefaultTargetDataSource(routed))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> door.setLenientFallback(true)).isInstanceOf(UnsupportedOperationException.class);
        });
    }

    @Test
    void registersTheFilterOnlyWhenTheApplicationResolvesTenants(TestCluster cluster) {
        WebApplicationContextRunner web = new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HomeshardAutoConfiguration.class, HomeshardWebAutoConfiguration.class));
        web.withPropertyValues(properties(cluster))
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
        web.withPropertyValues(properties(cluster))
                .withBean(TenantResolver.class, () -> request -> Optional.of(ONE))
                .run(context -> assertThat(
                                context.getBean(FilterRegistrationBean.class).getFilter())
                        .isInstanceOf(TenantFilter.class));
    }

    @Test
    void stepsAsideWithoutDirectory() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(Homeshard.class));
    }

    @Test
    void hidesPasswords() {
        var directory = new HomeshardProperties.DirectoryProperties("jdbc:postgresql://h/d", "u", "secret");
        var shard = new HomeshardProperties.ShardProperties("jdbc:postgresql://h/d", "u", "secret", 1, null);
        var login = new HomeshardProperties.LoginProperties("u", "secret");
        assertThat(directory + " " + shard + " " + login).doesNotContain("secret");
    }

    private static SchemaRollout rollout(Homeshard homeshard) {
        SchemaRollout rollout = SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/spring"));
        rollout.migrateDirectory();
        return rollout;
    }
}
