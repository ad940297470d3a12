package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.DirectoryMending;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.gather.Gather;
import io.homeshard.migrate.gather.GatherParts;
import io.homeshard.migrate.gather.Handling;
import io.homeshard.migrate.gather.StrayTable;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tenant writes at home, and a lost router at the other shard, while its stray rows are brought home. */
class GatherUnderLoadTest {
    private static final TenantId TENANT = TenantId.of("busy");
    private static final int STRAYS = 1_500;

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.shop();
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(TENANT, s1);
        Shop.fill(lab, s1, TENANT, 20);
        String t = TENANT.value();
        lab.run(s2, "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES (?, 1, 'owned')", t);
        lab.run(s2, "INSERT INTO app.z_company VALUES (?, 'n:' || ?, 'busy')", t, t);
        lab.run(s2, """
                INSERT INTO app.m_orders (tenant_id, id, note) OVERRIDING SYSTEM VALUE
                SELECT ?, g + 1000000, 'stray' FROM generate_series(1, ?) g
                """, t, STRAYS);
        lab.run(
                s2,
                "INSERT INTO app.a_lines SELECT tenant_id, id, 1, 'stray' FROM app.m_orders WHERE tenant_id = ?",
                t);
        lab.run(s2, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", t);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    private static String refusedThere() {
        try (Connection lost = lab.connect(s2)) {
            Jdbc.run(lost, "INSERT INTO app.events (tenant_id) VALUES (?)", TENANT.value());
            return "nothing";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    @Test
    void writersAtHomeGoOnAndOthersAreRefusedAndNothingIsLost() throws InterruptedException {
        List<String> home = Shop.rowsOf(lab, s1, TENANT);
        List<String> strays = Shop.rowsOf(lab, s2, TENANT);
        List<String> refused = new ArrayList<>();
        try (BusyTenant busy = new BusyTenant(lab, TENANT)) {
            busy.awaitMore();
            refused.add(refusedThere());
            WriteGuard guard = watched(() -> {
                busy.awaitMore();
                refused.add(refusedThere());
            });

            List<StrayTable> gathered = gather(guard);

            busy.awaitMore();
            refused.add(refusedThere());
            busy.verify();
            assertThat(gathered.stream().mapToLong(StrayTable::broughtHome).sum())
                    .isEqualTo(2 * STRAYS);
            assertThat(Shop.rowsOf(lab, s1, TENANT))
                    .containsAll(home)
                    .containsAll(strays)
                    .hasSize(home.size() + 2 * STRAYS + busy.acknowledged());
        }
        assertThat(Shop.rowsOf(lab, s2, TENANT)).isEmpty();
        // not the owner's shard; then the gathering's own, which admits nobody else; then not the owner's again
        assertThat(refused.subList(1, refused.size() - 1)).hasSizeGreaterThan(2).containsOnly(SqlStates.FROZEN);
        assertThat(List.of(refused.get(0), refused.get(refused.size() - 1))).containsOnly(SqlStates.NOT_OWNED);
    }

    /** Does something when the other shard is reserved, before each batch is deleted there, and before it is released. */
    private static WriteGuard watched(Runnable then) {
        return (WriteGuard) Proxy.newProxyInstance(
                WriteGuard.class.getClassLoader(), new Class<?>[] {WriteGuard.class}, (proxy, method, arguments) -> {
                    if (Set.of("enterMover", "release").contains(method.getName())) {
                        then.run();
                    }
                    try {
                        Object result = method.invoke(lab.guard, arguments);
                        if (method.getName().equals("reserve")) {
                            then.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static List<StrayTable> gather(WriteGuard guard) {
        MoveParts parts = lab.parts(MoveLab.CONFIG);
        return Gather.of(new GatherParts(
                        parts.directory(),
                        parts.journal(),
                        DirectoryMending.jdbc(lab.directoryDataSource),
                        guard,
                        parts.pools(),
                        parts.tables(),
                        parts.clocks(),
                        Duration.ofSeconds(20)))
                .run(TENANT, Handling.BRING_HOME)
                .strays();
    }
}
