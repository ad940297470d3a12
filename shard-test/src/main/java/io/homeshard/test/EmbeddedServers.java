package io.homeshard.test;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers from the binaries on the class path, as child processes of the machine. */
final class EmbeddedServers implements ServerSource {
    private static final int SHARED = 2;
    private static final Duration STARTUP = Duration.ofSeconds(60);

    /** Another process may take the port between the choice and the start. */
    private static final int ATTEMPTS = 3;

    private final RunFolder folder;
    private final AtomicInteger count = new AtomicInteger();

    private EmbeddedServers(RunFolder folder) {
        this.folder = folder;
    }

    static EmbeddedServers open(Path root) {
        RunFolder folder = RunFolder.open(root);
        ServerGuard.watch(folder.path());
        return new EmbeddedServers(folder);
    }

    @Override
    public int sharedServers() {
        return SHARED;
    }

    @Override
    public PostgresServer next(boolean shared) {
        for (int attempt = 1; ; attempt++) {
            try {
                return start(shared);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("test server - not started (folder=" + folder.path() + ")", e);
                }
            }
        }
    }

    private PostgresServer start(boolean shared) throws IOException {
        String name = "server-" + count.incrementAndGet();
        Path data = folder.path().resolve(name);
        Path log = folder.path().resolve(name + ".log");
        int port = FreePort.find();
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.root().toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(STARTUP)
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("encoding", "UTF8")
                .setErrorRedirector(Redirect.appendTo(log.toFile()))
                .setOutputRedirector(Redirect.appendTo(log.toFile()));
        ServerSettings.all().forEach(builder::setServerConfig);
        EmbeddedPostgres started = builder.start();
        return new EmbeddedServer(started, data, log, shared);
    }
}
