package io.homeshard.test;

/** A server whose process is not ours. */
final class RemoteServer implements PostgresServer {
    private final ServerAddress address;
    private final String mode;

    RemoteServer(ServerAddress address, String mode) {
        this.address = address;
        this.mode = mode;
    }

    @Override
    public String host() {
        return address.host();
    }

    @Override
    public int port() {
        return address.port();
    }

    @Override
    public String user() {
        return address.user();
    }

    @Override
    public String password() {
        return address.password();
    }

    @Override
    public String jdbcUrl(String database) {
        return address.jdbcUrl(database);
    }

    @Override
    public Database createDatabase(String prefix) {
        return DatabaseNames.create(address, prefix);
    }

    @Override
    public void stop() {
        throw unsupported("stopped");
    }

    @Override
    public void start() {
        throw unsupported("started");
    }

    @Override
    public String toString() {
        return mode + " " + address;
    }

    private UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException("test server - cannot be " + what + " in mode " + mode + ", use -D"
                + PostgresServers.MODE + "=embedded (server=" + address + ")");
    }
}
