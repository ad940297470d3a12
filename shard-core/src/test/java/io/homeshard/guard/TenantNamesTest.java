package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.after;
import static io.homeshard.guard.GuardedShard.alreadyDone;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names of tenants are data to every function (D38). */
class TenantNamesTest {
    private static final TableName NOTE = TableName.parse("public.note");
    private static final String BYSTANDER = "bystander";

    private static GuardedShard shard;

    @BeforeAll
    static void start() throws SQLException {
        shard = GuardedShard.withNotes();
        TenantId bystander = shard.owned(TenantId.of(BYSTANDER));
        shard.write(bystander, 1);
    }

    @AfterAll
    static void stop() {
        shard.close();
    }

    static Stream<String> names() {
        return Stream.of(
                "o'brien",
                "x'); drop table note;--",
                "x\\'); drop table note;--",
                "a\"b",
                "$$",
                "$f$",
                "%_",
                "%s%I",
                "{}",
                "null",
                "''",
                "a/b\\c",
                "a,b;c",
                "\uD83D\uDE80",
                "\uD83D\uDE80".repeat(128),
                "ß".repeat(128));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFunctionTakesItAsData(String name) throws SQLException {
        TenantId tenant = TenantId.of(name);
        WriteGuard guard = shard.guard;
        fails("HS001", () -> shard.write(tenant, 1));
        MoverToken first = shard.incoming(tenant, 1);
        try (Connection connection = shard.connect()) {
            connection.setAutoCommit(false);
            guard.enterMover(connection, first);
            GuardedShard.write(connection, tenant, 1);
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(guard.sweep(connection, first, NOTE, 10)).isEqualTo(1);
            done(guard.markVerified(connection, first, 1));
            done(guard.activate(connection, first, 1));
            shard.write(tenant, 2);
            entersAndVisits(connection, name);
            MoverToken second = mover(tenant);
            done(guard.freeze(connection, second, 1, SOON));
            fails("HS002", () -> shard.write(tenant, 3));
            MoverToken third = after(second);
            done(guard.takeOver(connection, third));
            done(guard.unfreeze(connection, third, 1));
            leaves(connection, tenant);
        }
        assertThat(shard.notes(TenantId.of(BYSTANDER))).isEqualTo(1);
    }

    private static void entersAndVisits(Connection connection, String name) throws SQLException {
        connection.setAutoCommit(false);
        for (String function : new String[] {"enter", "visit"}) {
            Jdbc.run(connection, "SELECT homeshard." + function + "(?, 1)", name);
            assertThat(GuardedShard.text(connection, "SELECT current_setting('app.tenant_id')"))
                    .isEqualTo(name);
            connection.commit();
        }
        connection.setAutoCommit(true);
    }

    private static void leaves(Connection connection, TenantId tenant) throws SQLException {
        WriteGuard guard = shard.guard;
        MoverToken away = mover(tenant);
        done(guard.freeze(connection, away, 1, SOON));
        done(guard.markMoved(connection, away, 1, ShardId.of("s2")));
        assertThat(guard.sweep(connection, away, NOTE, 10)).isEqualTo(1);
        MoverToken back = shard.incoming(tenant, 2);
        done(guard.release(connection, back, 2));
        alreadyDone(guard.release(connection, back, 2));
        assertThat(shard.ownership(tenant).movedTo()).isEqualTo("s2");
    }
}
