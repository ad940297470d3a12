package io.homeshard.testing;

import io.homeshard.Homeshard;
import io.homeshard.HomeshardBuilder;
import io.homeshard.HomeshardParts;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An application on a real directory and real shards {@code s1}, {@code s2} ...: each has the tenant table
 * {@code app.note(tenant_id, id, body)} under the guard. Moves are made step by step through the functions that a mover
 * calls, so that tests may stop between two of them.
 */
public final class ShardedApp implements AutoCloseable {
    /** The declaration. */
    public static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final Duration LOCK = Duration.ofMillis(100);

    private final TestCluster cluster;
    private final Homeshard homeshard;
    private final List<Homeshard> others = new ArrayList<>();

    private ShardedApp(TestCluster cluster, HomeshardBuilder builder) throws SQLException {
        this.cluster = cluster;
        ShardSchemas.migrateDirectory(cluster.directory().dataSource());
        this.homeshard = configured(builder).build();
        for (int index = 0; index < cluster.shards().size(); index++) {
            bootstrap(index);
        }
    }

    /**
     * On shared servers.
     *
     * @param shards how many
     * @return the application, with default settings
     */
    public static ShardedApp start(int shards) {
        return on(TestCluster.start(shards), Homeshard.builder());
    }

    /**
     * On a cluster, which is closed with the application.
     *
     * @param cluster fresh databases
     * @param builder settings; directory, credentials and tables are added
     * @return the application
     */
    public static ShardedApp on(TestCluster cluster, HomeshardBuilder builder) {
        try {
            return new ShardedApp(cluster, builder);
        } catch (SQLException | RuntimeException e) {
            cluster.close();
            throw new IllegalStateException(e);
        }
    }

    /** The first instance of the application. */
    public Homeshard homeshard() {
        return homeshard;
    }

    /** Another instance of the application on the same databases. */
    public Homeshard another(HomeshardBuilder builder) {
        Homeshard other = configured(builder).build();
        others.add(other);
        return other;
    }

    /** The databases. */
    public TestCluster cluster() {
        return cluster;
    }

    /** The database of shard {@code s1} and so on. */
    public Database database(String shard) {
        return cluster.shard(Integer.parseInt(shard.substring(1)) - 1);
    }

    /** A tenant on a shard, in service. */
    public TenantId tenant(String name, String shard) {
        TenantId tenant = TenantId.of(name);
        HomeshardParts parts = homeshard.parts();
        Provisioning operation = parts.admin().beginCreate(tenant, ShardId.of(shard), UUID.randomUUID(), LEASE);
        MoverToken token = new MoverToken(tenant, operation.operation(), operation.epoch(), 1);
        try (Connection connection = database(shard).connect()) {
            must(parts.guard().reserve(connection, token, operation.generation()));
            must(parts.guard().markVerified(connection, token, operation.generation()));
            must(parts.admin().commitCreate(operation));
            must(parts.guard().activate(connection, token, operation.generation()));
            must(parts.admin().endCreate(operation));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return tenant;
    }

    /** Moves a tenant with its rows, all steps up to RETAINED. */
    public void move(TenantId tenant, String target) {
        finishMove(beginMove(tenant, target));
    }

    /** The steps of a move up to and including the freeze of the source. */
    public MoveTicket beginMove(TenantId tenant, String target) {
        MoveJournal journal = homeshard.parts().journal();
        UUID move = UUID.randomUUID();
        must(journal.plan(move, tenant, ShardId.of(target), "test", LEASE));
        MoveRecord record = journal.find(move).orElseThrow();
        MoveTicket ticket = new MoveTicket(move, record.epoch(), record.attempt());
        WriteGuard guard = homeshard.parts().guard();
        try (Connection to = database(target).connect();
                Connection from = database(record.source().value()).connect()) {
            must(guard.reserve(to, token(record), record.generation() + 1));
            advance(ticket, MovePhase.PLANNED, MovePhase.RESERVED);
            advance(ticket, MovePhase.RESERVED, MovePhase.FREEZING);
            must(guard.freeze(from, token(record), record.generation(), LOCK));
            advance(ticket, MovePhase.FREEZING, MovePhase.FROZEN);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return ticket;
    }

    /** The other steps of a move. */
    public void finishMove(MoveTicket ticket) {
        MoveRecord record = homeshard.parts().journal().find(ticket.move()).orElseThrow();
        WriteGuard guard = homeshard.parts().guard();
        try (Connection to = database(record.target().value()).connect();
                Connection from = database(record.source().value()).connect()) {
            advance(ticket, MovePhase.FROZEN, MovePhase.COPYING);
            copyNotes(from, to, record);
            must(guard.markVerified(to, token(record), record.generation() + 1));
            advance(ticket, MovePhase.COPYING, MovePhase.VERIFIED);
            must(homeshard.parts().journal().flip(ticket));
            must(guard.markMoved(from, token(record), record.generation(), record.target()));
            must(guard.activate(to, token(record), record.generation() + 1));
            advance(ticket, MovePhase.FLIPPED, MovePhase.ACTIVATED);
            advance(ticket, MovePhase.ACTIVATED, MovePhase.RETAINED);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counts rows of a tenant on a shard, past Homeshard. */
    public long notes(String shard, TenantId tenant) {
        try (Connection connection = database(shard).connect()) {
            return Jdbc.one(
                    connection,
                    "SELECT count(*) FROM app.note WHERE tenant_id = ?",
                    row -> row.getLong(1),
                    tenant.value());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes one row through a connection. */
    public static void insertNote(Connection connection, TenantId tenant, int id) throws SQLException {
        Jdbc.update(connection, "INSERT INTO app.note (tenant_id, id, body) VALUES (?, ?, 'x')", tenant.value(), id);
    }

    @Override
    public void close() {
        others.forEach(Homeshard::close);
        homeshard.close();
        cluster.close();
    }

    private HomeshardBuilder configured(HomeshardBuilder builder) {
        Database directory = cluster.directory();
        return builder.directory(directory.dataSource())
                .credentials(shard -> new ShardCredentials(directory.user(), directory.password()))
                .tables(TABLES);
    }

    private void bootstrap(int index) throws SQLException {
        Database database = cluster.shard(index);
        ShardSchemas.migrateShard(database.dataSource());
        HomeshardParts parts = homeshard.parts();
        Shard shard = parts.admin().addShard(Shard.of("s" + (index + 1), database.jdbcUrl()));
        try (Connection connection = database.connect()) {
            Jdbc.run(connection, "CREATE SCHEMA app");
            Jdbc.run(
                    connection,
                    "CREATE TABLE app.note (tenant_id text, id int, body text, PRIMARY KEY (tenant_id, id))");
            must(parts.guard()
                    .identify(
                            connection,
                            new ShardIdentity(parts.admin().identity().id(), shard.id(), shard.incarnation())));
            parts.guard().install(connection, TABLES, LOCK);
        }
        parts.admin().bootstrapped(shard.id());
    }

    private void copyNotes(Connection from, Connection to, MoveRecord record) throws SQLException {
        List<Integer> ids = Jdbc.list(
                from,
                "SELECT id FROM app.note WHERE tenant_id = ? ORDER BY id",
                row -> row.getInt(1),
                record.tenant().value());
        to.setAutoCommit(false);
        homeshard.parts().guard().enterMover(to, token(record));
        for (int id : ids) {
            insertNote(to, record.tenant(), id);
        }
        to.commit();
        to.setAutoCommit(true);
    }

    private void advance(MoveTicket ticket, MovePhase from, MovePhase to) {
        must(homeshard.parts().journal().advance(ticket, from, to, "{}", LEASE));
    }

    private static MoverToken token(MoveRecord record) {
        return new MoverToken(record.tenant(), record.id(), record.epoch(), record.attempt());
    }

    private static void must(StepResult result) {
        if (!result.ok()) {
            throw new IllegalStateException(result.toString());
        }
    }
}
