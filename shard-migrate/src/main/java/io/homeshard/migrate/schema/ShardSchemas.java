package io.homeshard.migrate.schema;

import io.homeshard.directory.DirectoryIdentity;
import io.homeshard.guard.GuardGap;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schemas of all shards. Thread-safe. */
public final class ShardSchemas {
    private static final Logger log = LoggerFactory.getLogger(ShardSchemas.class);

    /** Writers of a table wait at most this long for the guard to be put on it. */
    private static final Duration GUARD_LOCK_TIMEOUT = Duration.ofMillis(100);

    private final RolloutParts parts;
    private final Bootstrap bootstrap;
    private final ApplicationSchema application;
    private final Declaration declaration;

    /**
     * For all shards of a directory.
     *
     * @param parts what it works with
     * @param setUp sets Flyway up for the application's scripts
     */
    public ShardSchemas(RolloutParts parts, Consumer<FluentConfiguration> setUp) {
        this.parts = parts;
        this.bootstrap = new Bootstrap(parts.guard(), parts.tables());
        this.application = new ApplicationSchema(setUp);
        this.declaration = new Declaration(parts.tables());
    }

    /**
     * Brings shard after shard up to date, by name, and stops at the first that fails.
     *
     * @return what was done
     * @throws RolloutException when a shard failed; it has the report
     */
    public RolloutReport migrate() {
        DirectoryIdentity directory = parts.admin().identity();
        List<ShardRollout> done = new ArrayList<>();
        List<Shard> shards = parts.directory().shards();
        for (Shard shard : shards) {
            long start = parts.clocks().nanoTime();
            try {
                done.add(shard(shard, directory, start));
            } catch (SQLException | RuntimeException e) {
                done.add(ShardRollout.failed(shard.id(), since(start), e));
                shards.stream().skip(done.size()).forEach(left -> done.add(ShardRollout.notReached(left.id())));
                throw new RolloutException(shard.id(), new RolloutReport(done), e);
            }
        }
        return new RolloutReport(done);
    }

    private ShardRollout shard(Shard shard, DirectoryIdentity directory, long start) throws SQLException {
        ShardIdentity identity = new ShardIdentity(directory.id(), shard.id(), shard.incarnation());
        DataSource database = new OpeningDataSource(parts.pools(), shard);
        try (Connection connection = database.getConnection()) {
            bootstrap.check(connection, identity);
            int own = OwnSchema.SHARD.migrate(database);
            bootstrap.identify(connection, identity);
            ApplicationSchema.Result scripts = application.migrate(database);
            declaration.requireTables(connection, shard.id());
            boolean guarded = guard(connection, shard);
            declaration.news(connection, shard.id()).forEach(finding -> log.warn("roll-out - {}", finding));
            parts.admin().bootstrapped(shard.id());
            boolean changed = own > 0 || scripts.scripts() > 0 || guarded;
            Duration took = since(start);
            log.info(
                    "shard {} - schema is at version {}, {} (own={}, scripts={}, ms={})",
                    shard.id(),
                    scripts.after(),
                    changed ? "changed" : "unchanged",
                    own,
                    scripts.scripts(),
                    took.toMillis());
            ShardRollout.State state = changed ? ShardRollout.State.CHANGED : ShardRollout.State.UNCHANGED;
            return new ShardRollout(shard.id(), state, scripts.before(), scripts.after(), took, null);
        }
    }

    /** Completes the guard; tells whether there was something to do. */
    private boolean guard(Connection connection, Shard shard) throws SQLException {
        List<GuardGap> before = parts.guard().unguarded(connection);
        parts.guard().install(connection, parts.tables(), GUARD_LOCK_TIMEOUT);
        List<GuardGap> after = parts.guard().unguarded(connection);
        if (!after.isEmpty()) {
            throw new SchemaMismatchException(
                    "shard " + shard.id() + " - guard is not complete, check the declaration of tables (gaps=" + after
                            + ")",
                    null);
        }
        return !before.isEmpty();
    }

    private Duration since(long start) {
        return Duration.ofNanos(parts.clocks().nanoTime() - start);
    }
}
