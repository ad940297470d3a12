package io.homeshard.test;

import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How to reach a server.
 *
 * @param host host name or address
 * @param port TCP port
 * @param user role name
 * @param password password of the role
 * @param admin the database from which others are created
 * @param query further URL parameters with their question mark, or an empty text
 */
record ServerAddress(String host, int port, String user, String password, String admin, String query) {

    ServerAddress {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be within 1 and 65535, was " + port);
        }
    }

    static ServerAddress of(String host, int port, String user, String password) {
        return new ServerAddress(host, port, user, password, "postgres", "");
    }

    String jdbcUrl(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database + query;
    }

    DataSource dataSource(String database) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(jdbcUrl(database));
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
