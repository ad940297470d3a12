package io.homeshard.examples.runbook;

import io.homeshard.test.TestCluster;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where the directory is.
 *
 * @param url JDBC URL
 * @param user role, the same on the shards
 * @param password its password
 */
record Address(String url, String user, String password) {
    static Address of(TestCluster cluster) {
        return new Address(
                cluster.directory().jdbcUrl(),
                cluster.directory().user(),
                cluster.directory().password());
    }

    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    public String toString() {
        return url;
    }
}
