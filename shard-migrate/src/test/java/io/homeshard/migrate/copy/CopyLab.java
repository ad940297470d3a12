package io.homeshard.migrate.copy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Two databases for all tests of a class; each test has a schema and connections of its own. */
final class CopyLab implements AutoCloseable {
    static final String TENANT = "t";

    /** Small enough for tables of tests to have several ranges. */
    static final long RANGE_BYTES = 1L << 16;

    private final TestCluster cluster = TestCluster.start(2);
    private final List<Connection> opened = new ArrayList<>();

    /** A copy that divides tables which it would leave whole elsewhere. */
    static TenantCopy copy(LoadMode mode, int streams) {
        return copy(CopyLimits.defaults().parallelism(streams).maxRowBytes(1 << 20), mode);
    }

    static TenantCopy copy(CopyLimits limits, LoadMode mode) {
        return new StreamingCopy(limits, mode, Clocks.system(), RANGE_BYTES);
    }

    Database shard(int index) {
        return cluster.shard(index);
    }

    Connection connect(int index) throws SQLException {
        Connection connection = shard(index).connect();
        opened.add(connection);
        return connection;
    }

    /** Makes a schema with tables on both shards, and it the search path of this test's connections. */
    Scene scene(String schema, String ddl) throws SQLException {
        Connection source = connect(0);
        Connection target = connect(1);
        String all = "CREATE SCHEMA " + schema + "; SET search_path = " + schema + ", public; " + ddl;
        TwoShards.run(source, all);
        TwoShards.run(target, all);
        return new Scene(this, schema, source, target);
    }

    /** One test's tables. */
    record Scene(CopyLab lab, String schema, Connection source, Connection target) {
        TenantCatalog catalog() throws SQLException {
            try (Connection other = lab.shard(0).connect()) {
                return TenantCatalog.read(
                        other,
                        TenantSchema.tenantColumn("tenant_id").inSchemas(schema).build());
            }
        }

        CopyReport copy(TenantCopy copy, CopyListener listener) throws SQLException {
            return copy.copy(ends(new Sessions(lab)), catalog(), TwoShards.token(TENANT), listener);
        }

        CopyEnds ends(CopySessions more) {
            return new CopyEnds(source, target, TwoShards.OPEN, more);
        }

        /** What a query says here and there. */
        List<String> there(String sql) throws SQLException {
            return TwoShards.query(source, sql);
        }

        /** Asked in a session of its own, which a broken copy cannot have closed. */
        List<String> here(String sql) throws SQLException {
            try (Connection other = lab.shard(1).connect()) {
                TwoShards.run(other, "SET search_path = " + schema + ", public");
                return TwoShards.query(other, sql);
            }
        }

        void fill(String sql) throws SQLException {
            TwoShards.run(source, sql);
        }
    }

    /** Further sessions, as many as are asked for. Thread-safe. */
    static class Sessions implements CopySessions {
        private final CopyLab lab;
        private final List<Connection> given = new ArrayList<>();

        Sessions(CopyLab lab) {
            this.lab = lab;
        }

        @Override
        public Connection source() throws SQLException {
            return give(0);
        }

        @Override
        public Connection target() throws SQLException {
            return give(1);
        }

        private Connection give(int index) throws SQLException {
            Connection connection = lab.shard(index).connect();
            synchronized (given) {
                given.add(connection);
            }
            return connection;
        }

        /** How many were ever asked for. */
        int count() {
            synchronized (given) {
                return given.size();
            }
        }

        boolean allClosed() throws SQLException {
            synchronized (given) {
                for (Connection connection : given) {
                    if (!connection.isClosed()) {
                        return false;
                    }
                }
                return true;
            }
        }

        @Override
        public void close(Connection session) {
            try {
                session.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
        cluster.close();
    }
}
