package io.homeshard.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.Homeshard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.move.MoveException;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Routers and directories that believe what was true once. */
class ForgottenFlipsTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static final ShardId S3 = ShardId.of("s3");
    private static AttackLab lab;

    @BeforeAll
    static void open() throws SQLException {
        lab = new AttackLab(3, """
                CREATE SCHEMA app;
                CREATE TABLE app.notes (tenant_id text NOT NULL, body text NOT NULL, PRIMARY KEY (tenant_id, body));
                """);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    /** There and back and there again; each router has heard of one of the placements only. */
    @Test
    void routersOfAllGenerationsWriteToTheOwnerOrNotAtAll() throws SQLException {
        TenantId tenant = lab.tenant("acme " + UUID.randomUUID(), S1);
        List<Homeshard> routers = new ArrayList<>();
        List<String> acknowledged = new ArrayList<>();
        try {
            for (ShardId next : List.of(S2, S1, S2, S1)) {
                Homeshard router = lab.homeshard(false, Homeshard.builder());
                routers.add(router);
                for (Homeshard each : routers) {
                    String body = next + " " + acknowledged.size() + " " + UUID.randomUUID();
                    if (catchThrowable(() -> write(each, tenant, body)) == null) {
                        acknowledged.add(body);
                    }
                }
                lab.move(tenant, next);
                assertThat(lab.owners(tenant)).containsExactly(next);
                assertThat(notes(next, tenant)).containsExactlyInAnyOrderElementsOf(acknowledged);
            }
        } finally {
            routers.forEach(Homeshard::close);
        }
        assertThat(acknowledged).hasSizeGreaterThan(4);
    }

    @Test
    void aDirectoryThatForgotTheFlipLetsNobodyWriteAndNoMoveBegin() throws SQLException {
        TenantId tenant = lab.tenant("acme " + UUID.randomUUID(), S1);
        lab.run(S1, "INSERT INTO app.notes VALUES (?, 'before')", tenant.value());
        lab.move(tenant, S2);
        lab.run(S2, "INSERT INTO app.notes VALUES (?, 'after')", tenant.value());
        lab.inDirectory(
                "DELETE FROM homeshard.move_step WHERE move_id IN (SELECT id FROM homeshard.move WHERE tenant_id = ?)",
                tenant.value());
        lab.inDirectory("DELETE FROM homeshard.move WHERE tenant_id = ?", tenant.value());
        lab.inDirectory(
                "UPDATE homeshard.placement SET shard_id = 's1', generation = 1 WHERE tenant_id = ?", tenant.value());

        try (Homeshard router = lab.homeshard(false, Homeshard.builder())) {
            assertThatThrownBy(() -> write(router, tenant, "lost")).isInstanceOf(HomeshardException.class);
            assertThatThrownBy(() -> write(router, tenant, "lost")).isInstanceOf(HomeshardException.class);
        }
        for (ShardId target : List.of(S2, S3)) {
            assertThatThrownBy(() -> lab.move(tenant, target)).isInstanceOf(MoveException.class);
        }
        assertThat(lab.owners(tenant)).containsExactly(S2);
        assertThat(notes(S1, tenant)).containsExactly("before");
        assertThat(notes(S2, tenant)).containsExactly("after", "before");
        assertThat(notes(S3, tenant)).isEmpty();
    }

    private static List<String> notes(ShardId shard, TenantId tenant) {
        return lab.query(shard, "SELECT body FROM app.notes WHERE tenant_id = ? ORDER BY 1", tenant.value());
    }

    private static void write(Homeshard homeshard, TenantId tenant, String body) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                Jdbc.update(connection, "INSERT INTO app.notes VALUES (?, ?)", tenant.value(), body);
            }
        });
    }
}
