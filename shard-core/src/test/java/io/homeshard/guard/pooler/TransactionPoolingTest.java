package io.homeshard.guard.pooler;

import static io.homeshard.guard.pooler.Client.OK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that have one session of the server between them, transaction by transaction. */
class TransactionPoolingTest {
    private static PooledShard shard;

    private PgBouncer bouncer;
    private Client a;
    private Client b;

    @BeforeAll
    static void createShard() throws SQLException, IOException {
        shard = PooledShard.create();
    }

    @AfterAll
    static void dropShard() throws SQLException {
        if (shard != null) {
            shard.close();
        }
    }

    /** A new pooler for each test: what one leaves in the server's session would be found by the next. */
    @BeforeEach
    void connect() throws SQLException, IOException {
        bouncer = PgBouncer.start(shard.database(), Pooling.transactions(1));
        a = bouncer.client();
        b = bouncer.client();
        assertThat(a.pid()).isEqualTo(b.pid());
    }

    @AfterEach
    void disconnect() throws SQLException, IOException {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void clientsTakeTurnsInAutocommit() throws SQLException {
        String ofA = shard.owned();
        String ofB = shard.owned();
        String frozen = frozen();
        String moved = frozen();
        shard.moveAway(moved);
        for (int turn = 0; turn < 5; turn++) {
            assertThat(a.write(ofA)).isEqualTo(OK);
            assertThat(b.write(ofB)).isEqualTo(OK);
            assertThat(a.write(frozen)).isEqualTo("HS002");
            assertThat(b.write(frozen)).isEqualTo("HS002");
            assertThat(a.write(moved)).isEqualTo("HS001");
            assertThat(b.write(PooledShard.foreign())).isEqualTo("HS001");
        }
        assertThat(shard.rows(ofA)).hasSize(5);
        assertThat(shard.rows(ofB)).hasSize(5);
        assertThat(shard.rows(frozen)).isEmpty();
        assertThat(shard.rows(moved)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void clientsTakeTurnsInTransactions(String level) throws SQLException {
        String ofA = shard.owned();
        String ofB = shard.owned();
        String frozen = frozen();
        for (int turn = 0; turn < 3; turn++) {
            for (Client client : new Client[] {a, b}) {
                String own = client.equals(a) ? ofA : ofB;
                client.run("BEGIN ISOLATION LEVEL " + level);
                assertThat(client.write(own)).isEqualTo(OK);
                assertThat(client.write(own)).isEqualTo(OK);
                client.run("COMMIT");
                client.run("BEGIN ISOLATION LEVEL " + level);
                assertThat(client.write(own)).isEqualTo(OK);
                assertThat(client.write(frozen)).isEqualTo("HS002");
                client.run("ROLLBACK");
            }
        }
        assertThat(shard.rows(ofA)).hasSize(6);
        assertThat(shard.rows(ofB)).hasSize(6);
        assertThat(shard.rows(frozen)).isEmpty();
    }

    /** What the session remembers of a client's tenant is neither worth more nor less to another client. */
    @Test
    void whatOneClientLeftInTheSessionHarmsNoOther() throws SQLException {
        String tenant = shard.owned();
        String other = shard.owned();
        assertThat(a.write(tenant)).isEqualTo(OK);
        assertThat(b.write(tenant)).as("owned, first write of this client").isEqualTo(OK);
        shard.freeze(tenant);
        assertThat(b.write(tenant)).isEqualTo("HS002");
        assertThat(a.write(tenant)).isEqualTo("HS002");
        assertThat(b.write(other)).as("another tenant").isEqualTo(OK);
        assertThat(b.write(tenant)).as("after another tenant").isEqualTo("HS002");
        shard.thaw(tenant);
        assertThat(b.write(tenant)).isEqualTo(OK);
        assertThat(a.write(tenant)).isEqualTo(OK);
        shard.freeze(tenant);
        shard.moveAway(tenant);
        assertThat(a.write(tenant)).isEqualTo("HS001");
        assertThat(b.write(tenant)).isEqualTo("HS001");
        assertThat(shard.rows(tenant)).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void aClientInItsTransactionIsWaitedFor(String level) throws SQLException {
        String tenant = shard.owned();
        assertThat(b.write(tenant)).isEqualTo(OK);
        a.run("BEGIN ISOLATION LEVEL " + level);
        assertThat(a.write(tenant)).isEqualTo(OK);
        assertThat(shard.freezes(tenant, PooledShard.BRIEF)).isFalse();
        assertThat(a.write(tenant)).isEqualTo(OK);
        a.run("COMMIT");
        assertThat(shard.freezes(tenant, PooledShard.PATIENT)).isTrue();
        assertThat(shard.rows(tenant)).hasSize(3);
        assertThat(a.write(tenant)).isEqualTo("HS002");
        assertThat(b.write(tenant)).isEqualTo("HS002");
    }

    /** The tenant's lock goes with the savepoint, so the next write has to ask again. */
    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void aWriteThatWasRolledBackToASavepointAdmitsNoLaterOne(String level) throws SQLException {
        String tenant = shard.owned();
        assertThat(b.write(tenant)).as("leaves what the session remembers").isEqualTo(OK);
        a.run("BEGIN ISOLATION LEVEL " + level);
        a.run("SAVEPOINT s");
        assertThat(a.write(tenant)).isEqualTo(OK);
        a.run("ROLLBACK TO s");
        shard.freeze(tenant);
        assertThat(a.write(tenant)).isEqualTo(level.equals("READ COMMITTED") ? "HS002" : "40001");
        a.run("ROLLBACK TO s");
        assertThat(a.write(tenant)).as("again").isEqualTo(level.equals("READ COMMITTED") ? "HS002" : "40001");
        a.run("ROLLBACK");
        assertThat(b.write(tenant)).isEqualTo("HS002");
        assertThat(shard.rows(tenant)).hasSize(1);
    }

    @Test
    void aWriteBeforeTheSavepointKeepsTheTenantOpen() throws SQLException {
        String tenant = shard.owned();
        a.run("BEGIN");
        assertThat(a.write(tenant)).isEqualTo(OK);
        a.run("SAVEPOINT s");
        assertThat(a.write(PooledShard.foreign())).isEqualTo("HS001");
        a.run("ROLLBACK TO s");
        assertThat(shard.freezes(tenant, PooledShard.BRIEF)).isFalse();
        assertThat(a.write(tenant)).isEqualTo(OK);
        a.run("COMMIT");
        shard.freeze(tenant);
        assertThat(b.write(tenant)).isEqualTo("HS002");
        assertThat(shard.rows(tenant)).hasSize(2);
    }

    /** A transaction that began before the freeze sees the tenant as owned for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void anOldSnapshotAdmitsNothing(String level) throws SQLException {
        String tenant = shard.owned();
        assertThat(b.write(tenant)).isEqualTo(OK);
        a.run("BEGIN ISOLATION LEVEL " + level);
        assertThat(a.value("SELECT count(*) FROM pooled.ledger WHERE tenant_id = ?", tenant))
                .isEqualTo("1");
        shard.freeze(tenant);
        assertThat(a.write(tenant)).isEqualTo("40001");
        a.run("ROLLBACK");
        assertThat(b.write(tenant)).isEqualTo("HS002");
        assertThat(shard.rows(tenant)).hasSize(1);
    }

    private static String frozen() throws SQLException {
        String tenant = shard.owned();
        shard.freeze(tenant);
        return tenant;
    }
}
