package io.homeshard.test;

import java.util.ArrayList;
import java.util.List;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers in Docker containers. Touches Testcontainers, so it is loaded in its mode only. */
final class ContainerServers implements ServerSource {
    static final String IMAGE = "homeshard.test.image";

    /** On every container, so that one left by a killed JVM without Ryuk can be found and removed. */
    static final String LABEL = "io.homeshard.test";

    private static final int SHARED = 2;

    @Override
    public int sharedServers() {
        return SHARED;
    }

    @Override
    public PostgresServer next(boolean shared) {
        String image = System.getProperty(IMAGE, "postgres:18");
        PostgreSQLContainer container =
                new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
        List<String> command = new ArrayList<>(List.of("postgres"));
        command.addAll(ServerSettings.arguments());
        container
                .withUsername("postgres")
                .withPassword("postgres")
                .withDatabaseName("postgres")
                .withEnv("POSTGRES_INITDB_ARGS", "--locale=C --encoding=UTF8")
                .withLabel(LABEL, Long.toString(ProcessHandle.current().pid()))
                .withCommand(command.toArray(String[]::new));
        // Ryuk removes the container when the JVM is killed, where it is not switched off
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop, "homeshard-test-container-stop"));
        container.start();
        ServerAddress address = ServerAddress.of(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getUsername(),
                container.getPassword());
        return new RemoteServer(address, "testcontainers");
    }
}
