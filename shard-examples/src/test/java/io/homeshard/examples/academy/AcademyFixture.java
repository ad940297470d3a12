package io.homeshard.examples.academy;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.TestCluster;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The academy, started on two shards with a company on each. */
final class AcademyFixture implements AutoCloseable {
    static final TenantId ONE = TenantId.of("company-one");
    static final TenantId TWO = TenantId.of("company-two");

    private final ConfigurableApplicationContext application;

    private AcademyFixture(ConfigurableApplicationContext application) {
        this.application = application;
    }

    static AcademyFixture start(TestCluster cluster) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(AcademyApplication.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(
                        "homeshard.directory.url=" + cluster.directory().jdbcUrl(),
                        "homeshard.directory.username=" + cluster.directory().user(),
                        "homeshard.directory.password=" + cluster.directory().password(),
                        "homeshard.login.username=" + cluster.shard(0).user(),
                        "homeshard.login.password=" + cluster.shard(0).password(),
                        "homeshard.tables.schemas=academy",
                        "homeshard.tables.reference=academy.currencies")
                .run();
        Homeshard homeshard = application.getBean(Homeshard.class);
        SchemaRollout rollout = SchemaRollout.of(
                homeshard, flyway -> flyway.locations("classpath:db/academy").schemas("academy"));
        rollout.migrateDirectory();
        homeshard.shards().add(Shard.of("s1", cluster.shard(0).jdbcUrl()));
        homeshard.shards().add(Shard.of("s2", cluster.shard(1).jdbcUrl()));
        rollout.migrate();
        homeshard.tenants().createOn(ONE, ShardId.of("s1"));
        homeshard.tenants().createOn(TWO, ShardId.of("s2"));
        return new AcademyFixture(application);
    }

    Homeshard homeshard() {
        return bean(Homeshard.class);
    }

    <T> T bean(Class<T> type) {
        return application.getBean(type);
    }

    @Override
    public void close() {
        application.close();
    }
}
