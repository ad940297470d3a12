package io.homeshard.guard.pooler;

import static io.homeshard.guard.pooler.Client.OK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * That what one client leaves is really used by the next: otherwise it would prove nothing that it does no harm. The
 * last two tests judge the others, by a guard with the fault that they look for.
 */
class SharedPassTest {
    private static final String LOCK_TIMEOUT = "55P03";

    /** As if nobody had thought of what sessions remember. */
    private static final String UNCOUNTED =
            "CREATE OR REPLACE FUNCTION homeshard.number_closing() RETURNS" + " void LANGUAGE plpgsql AS 'BEGIN END'";

    private static PooledShard shard;

    @BeforeAll
    static void createShard() throws SQLException, IOException {
        shard = PooledShard.create();
    }

    @AfterAll
    static void dropShard() throws SQLException {
        shard.close();
    }

    @Test
    void aClientWritesByAnotherOnesPass() throws SQLException, IOException {
        String tenant = shard.owned();
        String closing = shard.owned();
        try (PgBouncer bouncer = PgBouncer.start(shard.database(), Pooling.transactions(1))) {
            Client a = bouncer.client();
            Client b = bouncer.client();
            assertThat(a.write(tenant)).isEqualTo(OK);
            assertThat(writeUnread(b, tenant)).as("reads no row of ownership").isEqualTo(OK);
            shard.freeze(closing);
            assertThat(writeUnread(b, tenant)).as("a closing ends all passes").isEqualTo(LOCK_TIMEOUT);
            assertThat(b.write(tenant)).isEqualTo(OK);
            assertThat(writeUnread(a, tenant)).isEqualTo(OK);
        }
    }

    @Test
    void aResetEndsThem() throws SQLException, IOException {
        String tenant = shard.owned();
        Pooling pooling = Pooling.transactions(1).withReset();
        try (PgBouncer bouncer = PgBouncer.start(shard.database(), pooling)) {
            Client a = bouncer.client();
            assertThat(a.write(tenant)).isEqualTo(OK);
            assertThat(writeUnread(a, tenant)).isEqualTo(LOCK_TIMEOUT);
        }
    }

    @Test
    void aGuardThatCountsNoClosingsShows() throws SQLException, IOException {
        try (PooledShard weak = PooledShard.create()) {
            weak.weaken(UNCOUNTED);
            String tenant = weak.owned();
            try (PgBouncer bouncer = PgBouncer.start(weak.database(), Pooling.transactions(1))) {
                assertThat(bouncer.client().write(tenant)).isEqualTo(OK);
                weak.freeze(tenant);
                assertThat(bouncer.client().write(tenant)).as("frozen").isEqualTo(OK);
            }
        }
    }

    @Test
    void underLoadItShowsToo() throws Exception {
        try (PooledShard weak = PooledShard.create()) {
            weak.weaken(UNCOUNTED);
            try (PgBouncer bouncer = PgBouncer.start(weak.database(), Pooling.transactions(2));
                    PoolingStress stress = new PoolingStress(weak, bouncer, 4711)) {
                assertThat(stress.play(10)).isNotEmpty();
            }
        }
    }

    /** Writes while nobody can read the ownership: {@value Client#OK} where the guard has no need to. */
    private static String writeUnread(Client client, String tenant) throws SQLException {
        shard.owner().run("BEGIN");
        shard.owner().run("LOCK TABLE homeshard.ownership IN ACCESS EXCLUSIVE MODE");
        try {
            client.run("BEGIN");
            client.run("SET LOCAL lock_timeout = '200ms'");
            String answer = client.write(tenant);
            client.run(answer.equals(OK) ? "COMMIT" : "ROLLBACK");
            return answer;
        } finally {
            shard.owner().run("ROLLBACK");
        }
    }
}
