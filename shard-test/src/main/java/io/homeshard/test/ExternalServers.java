package io.homeshard.test;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Servers that run already and that a system property names. */
final class ExternalServers implements ServerSource {
    static final String URLS = "homeshard.test.external";

    private static final int DEFAULT_PORT = 5432;

    private final List<ServerAddress> addresses;
    private final Queue<ServerAddress> unshared;
    private final Queue<ServerAddress> unlent;

    ExternalServers(String urls) {
        this.addresses = Arrays.stream(urls.split(";", -1))
                .map(String::strip)
                .filter(url -> !url.isEmpty())
                .map(ExternalServers::parse)
                .toList();
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(URLS + " must name at least one server in external mode, for example"
                    + " -D" + URLS + "=jdbc:postgresql://localhost:5432/postgres?user=postgres&password=secret");
        }
        this.unshared = new ConcurrentLinkedQueue<>(addresses);
        this.unlent = new ConcurrentLinkedQueue<>(addresses);
    }

    @Override
    public int sharedServers() {
        return addresses.size();
    }

    @Override
    public PostgresServer next(boolean shared) {
        ServerAddress address = shared ? unshared.poll() : unlent.poll();
        if (address == null) {
            throw new UnsupportedOperationException("test servers - more dedicated servers wanted than " + URLS
                    + " names (named=" + addresses.size() + ")");
        }
        return new RemoteServer(address, "external");
    }

    /** Everything but user and password stays in the URLs of the databases, encryption for example. */
    static ServerAddress parse(String url) {
        PGSimpleDataSource parsed = new PGSimpleDataSource();
        try {
            parsed.setUrl(url);
        } catch (IllegalArgumentException withThePasswordInIt) {
            throw new IllegalArgumentException(URLS + " must hold PostgreSQL JDBC URLs separated by semicolons");
        }
        if (parsed.getServerNames().length != 1) {
            throw new IllegalArgumentException(
                    URLS + " must name one host in each URL, was " + Arrays.toString(parsed.getServerNames()));
        }
        int port = parsed.getPortNumbers()[0];
        return new ServerAddress(
                text(parsed.getServerNames()[0], "localhost"),
                port == 0 ? DEFAULT_PORT : port,
                text(parsed.getUser(), "postgres"),
                text(parsed.getPassword(), ""),
                text(parsed.getDatabaseName(), "postgres"),
                query(url));
    }

    private static String query(String url) {
        int start = url.indexOf('?');
        if (start < 0) {
            return "";
        }
        String kept = Stream.of(url.substring(start + 1).split("&", -1))
                .filter(part -> !part.startsWith("user=") && !part.startsWith("password="))
                .collect(Collectors.joining("&"));
        return kept.isEmpty() ? "" : "?" + kept;
    }

    private static String text(@Nullable String value, String otherwise) {
        return value == null || value.isEmpty() ? otherwise : value;
    }
}
