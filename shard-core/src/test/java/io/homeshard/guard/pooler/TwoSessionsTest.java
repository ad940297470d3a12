package io.homeshard.guard.pooler;

import static io.homeshard.guard.pooler.Client.OK;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two sessions of the server behind the pooler, so that a client can be in its transaction while others write. */
class TwoSessionsTest {
    private static final String QUEUED =
            "SELECT count(*) >= ? FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

    /** The freeze waits for the transaction that is open, and who comes later waits for the freeze. */
    @Test
    void theFreezeStandsBetweenTheClients() throws Exception {
        try (PooledShard shard = PooledShard.create();
                PgBouncer bouncer = PgBouncer.start(shard.database(), Pooling.transactions(2))) {
            Client a = bouncer.client();
            Client b = bouncer.client();
            String tenant = shard.owned();
            for (int i = 0; i < 4; i++) {
                assertThat(a.write(tenant)).isEqualTo(OK);
                assertThat(b.write(tenant)).isEqualTo(OK);
            }
            a.run("BEGIN");
            assertThat(a.write(tenant)).isEqualTo(OK);
            CompletableFuture<Boolean> freeze = supplyAsync(() -> freezes(shard, tenant));
            shard.await(QUEUED, 1);
            CompletableFuture<String> late = supplyAsync(() -> write(b, tenant));
            shard.await(QUEUED, 2);
            assertThat(a.write(tenant)).as("goes on, its tenant is held open").isEqualTo(OK);
            a.run("COMMIT");
            assertThat(freeze.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(late.get(20, TimeUnit.SECONDS)).isEqualTo("HS002");
            assertThat(shard.rows(tenant)).hasSize(10);
            // round robin: both clients meet both sessions
            for (int i = 0; i < 4; i++) {
                assertThat(a.write(tenant)).isEqualTo("HS002");
                assertThat(b.write(tenant)).isEqualTo("HS002");
            }
            shard.thaw(tenant);
            assertThat(b.write(tenant)).isEqualTo(OK);
        }
    }

    private static boolean freezes(PooledShard shard, String tenant) {
        try {
            return shard.freezes(tenant, PooledShard.PATIENT);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String write(Client client, String tenant) {
        try {
            return client.write(tenant);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
