package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementException;
import io.homeshard.model.PlacementState;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantExistsException;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import io.homeshard.test.PostgresServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class DirectoryTest {
    private final DirectoryFixture fixture = new DirectoryFixture();
    private final DirectoryAdmin admin = fixture.admin;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void anUnknownTenantIsEmptyAndAnUnreachableDirectoryIsNot() {
        assertThat(fixture.directory.find(ACME)).isEmpty();
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setServerNames(new String[] {"127.0.0.1"});
        nowhere.setPortNumbers(new int[] {1});
        nowhere.setPassword("very-secret");
        assertThatThrownBy(() -> Directory.jdbc(nowhere).find(ACME))
                .isInstanceOf(DirectoryUnavailableException.class)
                .hasMessage("directory - cannot be reached or did not answer in time (sqlstate=08001, limit_ms=10000)")
                .hasStackTraceContaining("127.0.0.1")
                .satisfies(e -> assertThat(e.toString() + e.getCause()).doesNotContain("very-secret"));
    }

    @Test
    void aMissingSchemaNamesTheRemedy() {
        try (Database empty = PostgresServers.shared().get(0).createDatabase("empty")) {
            assertThatThrownBy(() -> Directory.jdbc(empty.dataSource()).find(ACME))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("SchemaRollout.migrateDirectory()");
            assertThatThrownBy(() -> MoveJournal.jdbc(empty.dataSource()).cancel(UUID.randomUUID(), "x"))
                    .isInstanceOf(SchemaMismatchException.class);
        }
    }

    @Test
    void aNewerSchemaIsRefused() {
        assertThat(admin.identity().schemaNumber()).isEqualTo(1);
        assertThat(admin.identity()).isEqualTo(admin.identity());
        fixture.run("CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql AS 'SELECT 2'");
        assertThatThrownBy(admin::identity)
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContaining("use a newer version of the library (schema=2, library=1)");
    }

    @Test
    void connectionsThatAreInsideATransactionAreRefused() {
        javax.sql.DataSource manual = new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = fixture.database.connect();
                connection.setAutoCommit(false);
                return connection;
            }
        };
        assertThatThrownBy(() -> Directory.jdbc(manual).find(ACME))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("autocommit");
    }

    @Test
    void stepsCommitSynchronouslyWhateverTheSessionSays() throws SQLException {
        try (Connection connection = fixture.database.connect()) {
            connection.setAutoCommit(false);
            Jdbc.run(connection, "SET synchronous_commit = off");
            Jdbc.run(connection, "SELECT homeshard.cancel_move(?, 'x')", UUID.randomUUID());
            assertThat(show(connection)).isEqualTo("on");
            connection.commit();
            assertThat(show(connection)).isEqualTo("off");
        }
    }

    private static String show(Connection connection) throws SQLException {
        return Jdbc.one(connection, "SELECT current_setting('synchronous_commit')", row -> row.getString(1));
    }

    @Test
    void shardsAreRegisteredOnceAndGetNumbers() {
        Shard s1 = fixture.directory.shard(S1).orElseThrow();
        assertThat(s1.number()).isEqualTo(1);
        assertThat(fixture.directory.shards()).extracting(Shard::number).containsExactly(1, 2, 3);
        assertThat(admin.addShard(Shard.of("s1", s1.jdbcUrl()))).isEqualTo(s1);
        assertThatThrownBy(() -> admin.addShard(Shard.of("s1", "jdbc:postgresql://elsewhere/app")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shard s1 - the name is registered with other values; add it with the registered values,"
                        + " or under another name (jdbcUrl: registered=jdbc:postgresql://s1/app,"
                        + " given=jdbc:postgresql://elsewhere/app)");
        assertThatThrownBy(() -> admin.addShard(Shard.of("s1", s1.jdbcUrl() + "?options=-cx.y=secret")
                        .region("eu")
                        .dedicated(true)))
                .hasMessageEndingWith("(jdbcUrl: other parameters after jdbc:postgresql://s1/app;"
                        + " region: registered=null, given=eu; dedicated: registered=false, given=true)")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> admin.addShard(Shard.of("s9", s1.jdbcUrl())))
                .hasMessage("shard s9 - the address is registered as shard s1");
        assertThatThrownBy(() -> admin.addShard(Shard.of("s1", s1.jdbcUrl()).weight(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(weight: registered=100, given=7)");
        assertThatThrownBy(() -> admin.setStatus(ShardId.of("s9"), ShardStatus.ACTIVE))
                .hasMessage("shard s9 - unknown shard");
    }

    @Test
    void theFirstRolloutPutsAShardIntoServiceLaterOnesDoNotOverruleTheOperator() {
        Shard added = admin.addShard(
                Shard.of("s4", "jdbc:postgresql://s4/app").region("eu").dedicated(true));
        assertThat(added.status()).isEqualTo(ShardStatus.OFFLINE);
        assertThat(admin.neverRolledOut()).containsExactly(added.id());
        assertThatThrownBy(() -> admin.setStatus(added.id(), ShardStatus.ACTIVE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shard s4")
                .hasMessageContaining("never rolled out, SchemaRollout.migrate()");
        assertThat(status(added)).isEqualTo(ShardStatus.OFFLINE);
        admin.setStatus(added.id(), ShardStatus.OFFLINE);
        admin.bootstrapped(added.id());
        assertThat(status(added)).isEqualTo(ShardStatus.ACTIVE);
        admin.setStatus(added.id(), ShardStatus.OFFLINE);
        admin.bootstrapped(added.id());
        assertThat(status(added)).isEqualTo(ShardStatus.OFFLINE);
        admin.setStatus(added.id(), ShardStatus.ACTIVE);
        assertThat(status(added)).isEqualTo(ShardStatus.ACTIVE);
        assertThat(admin.neverRolledOut()).isEmpty();
    }

    private ShardStatus status(Shard shard) {
        return fixture.directory.shard(shard.id()).orElseThrow().status();
    }

    @Test
    void creatingGoesThroughProvisioningAndEachStepTellsTheTruthWhenRepeated() {
        UUID operation = UUID.randomUUID();
        Provisioning begun = admin.beginCreate(ACME, S1, operation, LEASE);
        assertThat(begun.generation()).isEqualTo(1);
        assertThat(admin.beginCreate(ACME, S1, operation, LEASE)).isEqualTo(begun);
        assertThat(state()).isEqualTo(PlacementState.PROVISIONING);
        assertThatThrownBy(() -> admin.beginCreate(ACME, S2, UUID.randomUUID(), LEASE))
                .isInstanceOf(TenantExistsException.class)
                .hasMessageContaining("cannot be used yet")
                .hasMessageContaining("tenants().repair()")
                .hasMessageEndingWith("(state=provisioning)");
        assertThat(admin.endCreate(begun)).hasToString("refused: the operation is not committed");
        assertThat(admin.commitCreate(begun)).hasToString("done");
        assertThat(state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(admin.commitCreate(begun)).hasToString("already done");
        assertThat(admin.undoCreate(begun)).hasToString("refused: the operation is committed");
        assertThat(admin.endCreate(begun)).hasToString("done");
        assertThat(admin.endCreate(begun)).hasToString("already done");
        assertThat(admin.commitCreate(begun)).hasToString("already done");
        assertThatThrownBy(() -> admin.beginCreate(ACME, S2, UUID.randomUUID(), LEASE))
                .isInstanceOf(TenantExistsException.class)
                .hasMessage("tenant acme - is in the directory already; use it, or choose another name (state=active)");
    }

    private PlacementState state() {
        return fixture.directory.find(ACME).orElseThrow().state();
    }

    @Test
    void aGenerationNeverRestarts() {
        for (int life = 1; life <= 3; life++) {
            Provisioning begun = admin.beginCreate(ACME, S1, UUID.randomUUID(), LEASE);
            assertThat(begun.generation()).isEqualTo(life);
            assertThat(admin.undoCreate(begun)).hasToString("done");
            assertThat(admin.undoCreate(begun)).hasToString("already done");
            assertThat(admin.commitCreate(begun)).hasToString("refused: the operation was undone");
            assertThat(fixture.directory.find(ACME)).isEmpty();
        }
        assertThat(fixture.number("SELECT count(*) FROM homeshard.placement_history WHERE to_shard IS NULL"))
                .isEqualTo(3);
    }

    @Test
    void onlyActiveShardsTakeNewTenants() {
        admin.setStatus(S1, ShardStatus.DRAINING);
        assertThatThrownBy(() -> admin.beginCreate(ACME, S1, UUID.randomUUID(), LEASE))
                .isInstanceOf(PlacementException.class)
                .hasMessage("shard s1 - cannot take tenant acme, the shard takes no new tenants (status=draining)");
        assertThat(fixture.directory.find(ACME)).isEmpty();
    }

    @Test
    void takingOverACreationFencesItsCreator() {
        Provisioning late = admin.beginCreate(ACME, S1, UUID.randomUUID(), Duration.ZERO);
        admin.beginCreate(TenantId.of("busy"), S1, UUID.randomUUID(), LEASE);
        List<Provisioning> taken = admin.takeOverCreates(LEASE);
        assertThat(taken).extracting(Provisioning::tenant).containsExactly(ACME);
        assertThat(taken.get(0).epoch()).isGreaterThan(late.epoch());
        assertThat(admin.commitCreate(late).toString()).startsWith("refused: another has the operation");
        assertThat(admin.undoCreate(late).ok()).isFalse();
        assertThat(admin.takeOverCreates(LEASE)).isEmpty();
        assertThat(admin.undoCreate(taken.get(0))).hasToString("done");
    }

    @Test
    void tenantsAreListedInByteOrderAPageAtATime() {
        for (String name : new String[] {"b", "a", "B", "ä", "a'; DROP TABLE x;--", "Z", "10", "9"}) {
            fixture.tenant(TenantId.of(name), S1);
        }
        List<Placement> first = admin.list(Optional.empty(), 5);
        List<Placement> second = admin.list(Optional.of(first.get(4).tenant()), 5);
        assertThat(first).extracting(p -> p.tenant().value()).containsExactly("10", "9", "B", "Z", "a");
        assertThat(second).extracting(p -> p.tenant().value()).containsExactly("a'; DROP TABLE x;--", "b", "ä");
        assertThatThrownBy(() -> admin.list(Optional.empty(), 0)).hasMessage("limit must be >= 1, was 0");
    }

    @Test
    void historyTellsWhereATenantWasAndWhy() {
        fixture.tenant(ACME, S1);
        MoveTicket ticket = fixture.move(ACME, S2, MovePhase.RETAINED);
        assertThat(fixture.number("""
                        SELECT count(*) FROM homeshard.placement_history
                         WHERE reason = 'flip' AND from_shard = 's1' AND to_shard = 's2' AND generation = 2
                           AND state = 'active' AND actor = 'mover' AND move_id = ?""", ticket.move())).isEqualTo(1);
        assertThat(fixture.number("SELECT count(*) FROM homeshard.placement_history"))
                .isEqualTo(fixture.mapVersion());
        assertThat(fixture.directory.find(ACME).orElseThrow().mapVersion()).isEqualTo(fixture.mapVersion());
    }
}
