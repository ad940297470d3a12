package io.homeshard.guard.pooler;

import static io.homeshard.guard.pooler.Client.OK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pooler that resets the server's session before another client gets it: all that the guard remembers is lost. */
class ResetPoolingTest {
    private static final String MARK = "SELECT set_config('app.tenant_id', ?, false)";
    private static final String MARKED = "SELECT COALESCE(current_setting('app.tenant_id', true), '')";

    private static PooledShard shard;

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

    @Test
    void betweenClients() throws SQLException, IOException {
        String tenant = shard.owned();
        try (PgBouncer bouncer = PgBouncer.start(shard.database(), Pooling.sessions(1))) {
            String pid;
            try (Client a = bouncer.client()) {
                pid = a.pid();
                assertThat(a.write(tenant)).isEqualTo(OK);
                assertThat(a.write(tenant)).isEqualTo(OK);
                a.run(MARK, tenant);
                shard.freeze(tenant);
                assertThat(a.write(tenant)).isEqualTo("HS002");
            }
            try (Client b = bouncer.client()) {
                assertThat(b.pid()).isEqualTo(pid);
                assertThat(b.value(MARKED)).isEmpty();
                assertThat(b.write(tenant)).isEqualTo("HS002");
                shard.thaw(tenant);
                assertThat(b.write(tenant)).isEqualTo(OK);
            }
            try (Client c = bouncer.client()) {
                assertThat(c.write(tenant)).as("not remembered, and owned").isEqualTo(OK);
                assertThat(c.pid()).isEqualTo(pid);
            }
        }
        assertThat(shard.rows(tenant)).hasSize(4);
    }

    @Test
    void betweenTransactions() throws SQLException, IOException {
        String tenant = shard.owned();
        Pooling pooling = Pooling.transactions(1).withReset();
        try (PgBouncer bouncer = PgBouncer.start(shard.database(), pooling);
                Client a = bouncer.client();
                Client b = bouncer.client()) {
            assertThat(a.pid()).isEqualTo(b.pid());
            a.run(MARK, tenant);
            assertThat(b.value(MARKED)).isEmpty();
            for (Client client : new Client[] {a, b, a, b}) {
                client.run("BEGIN");
                assertThat(client.write(tenant)).isEqualTo(OK);
                assertThat(client.write(tenant)).isEqualTo(OK);
                client.run("COMMIT");
            }
            shard.freeze(tenant);
            assertThat(a.write(tenant)).isEqualTo("HS002");
            assertThat(b.write(tenant)).isEqualTo("HS002");
        }
        assertThat(shard.rows(tenant)).hasSize(8);
    }
}
