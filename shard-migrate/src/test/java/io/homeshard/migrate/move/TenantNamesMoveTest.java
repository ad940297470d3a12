package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Names of tenants with quotes, SQL and COPY's own signs in them: data, wherever they come by. The names one by one are in
 * {@code MoveCasesTest}; here is what listens, every kind of table, and what is no name.
 */
class TenantNamesMoveTest {
    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.shop();
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(MoveLab.OTHER, s1);
        Shop.fill(lab, s1, MoveLab.OTHER, 3);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    /** Created, written, moved, cleaned and moved back, with nobody else's rows touched. */
    @ParameterizedTest
    @ValueSource(strings = {"x\\'); drop table app.m_orders;--$$", "%_%s {a,\\N} \"null\" '' \uD83D\uDE80"})
    void d38_movesThereAndBack(String name) throws SQLException {
        TenantId tenant = TenantId.of(name);
        lab.tenant(tenant, s1);
        Shop.fill(lab, s1, tenant, 3);
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        List<String> others = Shop.rowsOfOthers(lab, s1, tenant);
        try (Connection listening = lab.directoryDataSource.getConnection();
                Statement statement = listening.createStatement()) {
            statement.execute("LISTEN homeshard");
            MoveReport report = lab.move(tenant, s2);

            assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
            assertThat(heard(listening))
                    .as("what LISTEN brings")
                    .isNotEmpty()
                    .allSatisfy(heard -> assertThat(heard).matches("[0-9]+ .*").endsWith(" " + name));
            assertThatThrownBy(() -> Shop.order(lab, s1, tenant)).hasMessageContaining("homeshard");
            assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        }
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(Shop.rowsOfOthers(lab, s1, tenant)).isEqualTo(others);
        lab.move(tenant, s1);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    private static List<String> heard(Connection listening) throws SQLException {
        List<String> payloads = new ArrayList<>();
        PGNotification[] all = listening.unwrap(PGConnection.class).getNotifications(5000);
        for (PGNotification one : all) {
            payloads.add(one.getParameter());
        }
        return payloads;
    }

    /** What is no name of a tenant is refused before anything is asked, wherever one would begin. */
    @Test
    void d38_disallowedNamesAreRefused() {
        for (String name : List.of("", " ", " a", "a ", "a\nb", "a\tb", "a\0b", "x".repeat(129), "a\u0301", "\uD83D")) {
            assertThatThrownBy(() -> TenantId.of(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("tenantId must");
        }
        String longest = "\uD83D\uDE80".repeat(TenantId.MAX_LENGTH);
        assertThat(TenantId.of(longest).value()).isEqualTo(longest);
    }

    /** By the database as well, for whoever comes past the library. */
    @Test
    void d38_directoryAndShardRefuseANameThatIsNone() {
        for (String name : new String[] {"", "x".repeat(129)}) {
            assertThatThrownBy(() -> inDirectory("""
                    INSERT INTO homeshard.placement (tenant_id, shard_id, generation, state, map_version)
                    VALUES (?, 's1', 1, 'active', 0)
                    """, name)).hasMessageContaining("violates check constraint");
        }
        assertThatThrownBy(() -> lab.run(
                        s1, "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES ('', 1, 'owned')"))
                .hasMessageContaining("violates check constraint");
    }

    private static void inDirectory(String sql, String name) throws SQLException {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(directory, sql, name);
        }
    }
}
