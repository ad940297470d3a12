package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.examples.academy.AcademyApplication;
import io.homeshard.test.PostgresServers;
import io.homeshard.test.TestCluster;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the main job and ends with exit code 0 when every acknowledged order is where it belongs, else with 1. */
public final class Quickstart {
    private static final int SHARDS = 3;
    private static final Set<String> MODES = Set.of("embedded", "testcontainers", "external");

    private Quickstart() {}

    /**
     * The main job.
     *
     * @param arguments none
     * @throws Exception when it cannot be run
     */
    public static void main(String[] arguments) throws Exception {
        QuickstartOptions options;
        try {
            options = QuickstartOptions.from(System.getProperties());
            requireMode();
        } catch (IllegalArgumentException e) {
            System.err.println("quickstart: refused - " + e.getMessage());
            System.exit(1);
            return;
        }
        boolean ok;
        try (TestCluster cluster = TestCluster.start(SHARDS);
                ConfigurableApplicationContext application = application(cluster)) {
            ok = new MainJob(options, cluster, application).run();
        }
        System.exit(ok ? 0 : 1);
    }

    private static void requireMode() {
        String mode = System.getProperty(PostgresServers.MODE, "embedded");
        if (!MODES.contains(mode)) {
            throw new IllegalArgumentException(
                    "quickstart.postgres must be embedded, testcontainers or external, was '" + mode + "'");
        }
    }

    /** The academy on Spring Boot, told by properties where the directory is. */
    static ConfigurableApplicationContext application(TestCluster cluster) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(AcademyApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(org.springframework.boot.Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(Map.of(
                        "homeshard.directory.url", cluster.directory().jdbcUrl(),
                        "homeshard.directory.username", cluster.directory().user(),
                        "homeshard.directory.password", cluster.directory().password(),
                        "homeshard.login.username", cluster.shard(0).user(),
                        "homeshard.login.password", cluster.shard(0).password(),
                        "homeshard.tables.schemas", "academy",
                        "homeshard.tables.reference", "academy.currencies"))
                .run();
        application.getBean(Homeshard.class);
        return application;
    }
}
