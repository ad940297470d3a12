package io.homeshard.migrate.move;

import io.homeshard.guard.MoverToken;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.copy.CopyEnds;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.migrate.copy.CopyListener;
import io.homeshard.migrate.copy.CopySessions;
import io.homeshard.migrate.copy.TenantCopy;
import io.homeshard.model.ShardId;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The same rows over the same two servers: by two psql with a pipe between them, and by this library. */
final class CopyContest {
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
    private static final long MINUTES = 10;

    private final MoveLab lab;
    private final ShardId source;
    private final MoverToken token = new MoverToken(MoveLab.ACME, UUID.randomUUID(), 1_000_000, 1);

    CopyContest(MoveLab lab, ShardId source) {
        this.lab = lab;
        this.source = source;
    }

    /** Lets the mover in, as a move would. */
    void reserve(ShardId target) throws SQLException {
        try (Connection connection = lab.connect(target)) {
            MoveStopped.unlessOk(lab.guard.reserve(connection, token, 2), "reserve");
        }
    }

    /** Empties the target and brings both servers to rest. */
    void prepare(ShardId target, boolean guarded) throws SQLException {
        try (Connection connection = lab.connect(target)) {
            BenchTable.renew(connection);
            if (guarded) {
                lab.guard.install(connection, BenchTable.TABLES, LOCK_TIMEOUT);
            }
            MoveLab.execute(connection, "CHECKPOINT");
        }
        lab.run(source, "CHECKPOINT");
    }

    /** Seconds that two psql take. */
    double psql(ShardId target) throws IOException, InterruptedException {
        String out = "COPY (SELECT %s FROM app.orders WHERE tenant_id = '%s') TO STDOUT (FORMAT binary)"
                .formatted(BenchTable.COLUMNS, token.tenant());
        String in = "COPY app.orders (%s) FROM STDIN (FORMAT binary)".formatted(BenchTable.COLUMNS);
        String enter =
                "SELECT homeshard.enter_mover('%s', '%s', %d)".formatted(token.tenant(), token.move(), token.epoch());
        String pipe = "set -o pipefail; psql " + address(source) + " -c \"" + out + "\" | psql " + address(target)
                + " -o /dev/null -c BEGIN -c \"" + enter + "\" -c \"" + in + "\" -c COMMIT";
        long begun = System.nanoTime();
        Process process = new ProcessBuilder("bash", "-c", pipe).inheritIO().start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("psql failed: " + pipe);
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private String address(ShardId shard) {
        Database database = database(shard);
        return "-X -q -v ON_ERROR_STOP=1 -h " + database.host() + " -p " + database.port() + " -U " + database.user()
                + " -d " + database.name();
    }

    private Database database(ShardId shard) {
        return lab.cluster.shard(Integer.parseInt(shard.value().substring(1)) - 1);
    }

    /** Seconds that a copy takes, connecting and reading the catalog included. */
    double homeshard(ShardId target, int streams) throws SQLException {
        long begun = System.nanoTime();
        try (Connection from = lab.connect(source);
                Connection to = lab.connect(target)) {
            TenantCatalog catalog = TenantCatalog.read(from, BenchTable.TABLES);
            TenantCopy.create(CopyLimits.defaults().parallelism(streams), LoadMode.PLAIN, Clocks.system())
                    .copy(
                            new CopyEnds(from, to, lab.guard, new Sessions(lab, source, target)),
                            catalog,
                            token,
                            CopyListener.NONE);
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    long rows(ShardId shard) {
        return lab.count(
                shard,
                "SELECT count(*) FROM app.orders WHERE tenant_id = ?",
                token.tenant().value());
    }

    List<String> servers(ShardId target) {
        return List.of(address(source), address(target));
    }

    private record Sessions(MoveLab lab, ShardId from, ShardId to) implements CopySessions {
        @Override
        public Connection source() throws SQLException {
            return lab.connect(from);
        }

        @Override
        public Connection target() throws SQLException {
            return lab.connect(to);
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
}
