package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.alreadyDone;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShardIdentityTest {
    private static final ShardIdentity S1 = new ShardIdentity(UUID.randomUUID(), ShardId.of("s1"), 1);

    private GuardedShard shard;
    private Connection connection;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.empty();
        connection = shard.connect();
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        shard.close();
    }

    @Test
    void itIsWrittenOnce() throws SQLException {
        assertThat(shard.guard.identity(connection)).isEmpty();
        done(shard.guard.identify(connection, S1));
        alreadyDone(shard.guard.identify(connection, S1));
        assertThat(shard.guard.identity(connection)).contains(S1);
    }

    @Test
    void anotherIdentityIsRefused() throws SQLException {
        done(shard.guard.identify(connection, S1));
        refused(
                shard.guard.identify(connection, new ShardIdentity(S1.directory(), ShardId.of("s2"), 1)),
                "the database is shard s1 (incarnation=1) of this directory");
        refused(shard.guard.identify(connection, new ShardIdentity(S1.directory(), S1.shard(), 2)), "incarnation=1");
        refused(
                shard.guard.identify(connection, new ShardIdentity(UUID.randomUUID(), S1.shard(), 1)),
                "of another directory");
        assertThat(shard.guard.identity(connection)).contains(S1);
    }

    @Test
    void aCopyOnAnotherServerIsRefused() throws SQLException {
        done(shard.guard.identify(connection, S1));
        assertThat(shard.number("SELECT count(*) FROM homeshard.shard_identity s JOIN pg_control_system() c"
                        + " ON c.system_identifier = s.system_identifier"))
                .isEqualTo(1);
        shard.sql("UPDATE homeshard.shard_identity SET system_identifier = system_identifier + 1");
        refused(shard.guard.identify(connection, S1), "copy from another server");
    }
}
