package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ways to come by a pass that does not tell the truth. */
class PassTest {
    private GuardedShard shard;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    /** PREPARE keeps the session's settings, as if the transaction had committed. */
    @Test
    void isNotIssuedByTheTransactionThatOpensTheTenant() throws SQLException {
        TenantId tenant = shard.owned();
        MoverToken mover = shard.frozen(tenant);
        try (Connection connection = shard.connect()) {
            Jdbc.run(connection, "BEGIN");
            shard.guard.unfreeze(connection, mover, 1);
            Jdbc.run(connection, "SAVEPOINT later");
            GuardedShard.write(connection, tenant, 1);
            Jdbc.run(connection, "PREPARE TRANSACTION 'opening'");
            Jdbc.run(connection, "ROLLBACK PREPARED 'opening'");
            fails("HS002", () -> GuardedShard.write(connection, tenant, 2));
        }
        assertThat(shard.notes(tenant)).isZero();
    }

    @Test
    void ofAnotherTenantIsWorthNothingInAMoversTransaction() throws SQLException {
        TenantId other = shard.owned();
        TenantId tenant = GuardedShard.tenant();
        MoverToken mover = shard.incoming(tenant, 1);
        try (Connection connection = shard.connect()) {
            GuardedShard.write(connection, other, 1);
            connection.setAutoCommit(false);
            shard.guard.enterMover(connection, mover);
            GuardedShard.write(connection, tenant, 1);
            fails("HS004", () -> GuardedShard.write(connection, other, 2));
            connection.rollback();
            GuardedShard.write(connection, other, 2);
            connection.commit();
        }
        assertThat(shard.notes(other)).isEqualTo(2);
        assertThat(shard.notes(tenant)).isZero();
    }

    @Test
    void ofAMoverEndsWithItsTransaction() throws SQLException {
        TenantId tenant = GuardedShard.tenant();
        MoverToken mover = shard.incoming(tenant, 1);
        try (Connection connection = shard.connect()) {
            connection.setAutoCommit(false);
            shard.guard.enterMover(connection, mover);
            GuardedShard.write(connection, tenant, 1);
            connection.commit();
            fails("HS002", () -> GuardedShard.write(connection, tenant, 2));
            connection.rollback();
        }
        assertThat(shard.notes(tenant)).isEqualTo(1);
    }

    @Test
    void sparesTheOwnershipRowUntilTheNextClosing() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection connection = shard.connect();
                Connection owner = shard.connect()) {
            GuardedShard.write(connection, tenant, 1);
            owner.setAutoCommit(false);
            Jdbc.run(owner, "LOCK TABLE homeshard.ownership IN ACCESS EXCLUSIVE MODE");
            Jdbc.run(connection, "SET lock_timeout = '200ms'");
            GuardedShard.write(connection, tenant, 2);
            owner.commit();
            shard.frozen(shard.owned());
            Jdbc.run(owner, "LOCK TABLE homeshard.ownership IN ACCESS EXCLUSIVE MODE");
            fails("55P03", () -> GuardedShard.write(connection, tenant, 3));
            owner.commit();
        }
    }
}
