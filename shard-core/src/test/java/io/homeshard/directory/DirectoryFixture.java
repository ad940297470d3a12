package io.homeshard.directory;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.PostgresServers;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A fresh directory database with its schema and the shards s1, s2 and s3, in service. */
final class DirectoryFixture implements AutoCloseable {
    static final Duration LEASE = Duration.ofMinutes(5);
    static final ShardId S1 = ShardId.of("s1");
    static final ShardId S2 = ShardId.of("s2");
    static final ShardId S3 = ShardId.of("s3");
    static final TenantId ACME = TenantId.of("acme");

    final Database database = PostgresServers.shared().get(0).createDatabase("directory");
    final DataSource dataSource = database.dataSource();
    final Directory directory = Directory.jdbc(dataSource);
    final DirectoryAdmin admin = DirectoryAdmin.jdbc(dataSource);
    final MoveJournal journal = MoveJournal.jdbc(dataSource);

    DirectoryFixture() {
        ShardSchemas.migrateDirectory(dataSource);
        for (ShardId shard : new ShardId[] {S1, S2, S3}) {
            admin.addShard(Shard.of(shard.value(), "jdbc:postgresql://" + shard + "/app"));
            admin.bootstrapped(shard);
        }
    }

    /** Creates a tenant as far as the directory goes. */
    void tenant(TenantId tenant, ShardId shard) {
        Provisioning operation = admin.beginCreate(tenant, shard, UUID.randomUUID(), LEASE);
        admin.commitCreate(operation);
        admin.endCreate(operation);
    }

    /** Plans a move of a tenant and brings it to a phase, without any shard. */
    MoveTicket move(TenantId tenant, ShardId target, MovePhase until) {
        UUID move = UUID.randomUUID();
        if (!journal.plan(move, tenant, target, "mover", LEASE).ok()) {
            throw new IllegalStateException("not planned");
        }
        MoveTicket ticket = ticket(move);
        MovePhase[] way = MovePhase.values();
        for (int i = 0; way[i] != until; i++) {
            boolean ok = way[i + 1] == MovePhase.FLIPPED
                    ? journal.flip(ticket).ok()
                    : journal.advance(ticket, way[i], way[i + 1], "{}", LEASE).ok();
            if (!ok) {
                throw new IllegalStateException("stuck before " + way[i + 1]);
            }
        }
        return ticket;
    }

    MoveTicket ticket(UUID move) {
        MoveRecord found = journal.find(move).orElseThrow();
        return new MoveTicket(move, found.epoch(), found.attempt());
    }

    /** Lets a move's lease run out by the directory's clock. */
    void expire(UUID move) {
        run("UPDATE homeshard.move SET lease_until = clock_timestamp() - interval '1 ms' WHERE id = ?", move);
    }

    long mapVersion() {
        return number("SELECT version FROM homeshard.map_version");
    }

    long number(String sql, @Nullable Object... parameters) {
        try (Connection connection = database.connect()) {
            return Jdbc.one(connection, sql, row -> row.getLong(1), parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql, @Nullable Object... parameters) {
        try (Connection connection = database.connect()) {
            Jdbc.run(connection, sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
