package io.homeshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.Homeshard;
import io.homeshard.model.NoTenantException;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.jdbc.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Boot's own auto-configurations that reach for the application's DataSource when it starts, where no tenant is. */
class NeighboursTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(1);

    private ApplicationContextRunner runner;

    @BeforeEach
    void describe(TestCluster cluster) {
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HomeshardAutoConfiguration.class))
                .withPropertyValues(HomeshardAutoConfigurationTest.properties(cluster));
    }

    @Test
    void theActuatorStartsAndLooksAtTheDirectory() {
        runner.withConfiguration(AutoConfigurations.of(
                        DataSourceHealthContributorAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    HealthEndpoint health = context.getBean(HealthEndpoint.class);
                    assertThat(health.healthForPath("db", HomeshardAutoConfiguration.DIRECTORY)
                                    .getStatus())
                            .isEqualTo(Status.UP);
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                });
    }

    /** Boot would run the application's scripts on no tenant's shard; the roll-out runs them on all. */
    @Test
    void bootsFlywayMustBeSwitchedOff() {
        ApplicationContextRunner flyway =
                runner.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class));
        flyway.withPropertyValues("spring.flyway.locations=classpath:db/spring")
                .run(context ->
                        assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(NoTenantException.class));
        flyway.withPropertyValues("spring.flyway.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(Homeshard.class));
    }
}
