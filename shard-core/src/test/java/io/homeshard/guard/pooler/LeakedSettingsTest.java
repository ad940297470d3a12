package io.homeshard.guard.pooler;

import static io.homeshard.guard.pooler.Client.OK;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one client sets in the session of the server, the next client finds there. */
class LeakedSettingsTest {
    /** Everything a session can remember of tenants lies in one of these. */
    private static final String REMEMBERED = """
            SELECT s.name, current_setting(s.name, true)
              FROM (SELECT 'homeshard.pass_' || to_hex(i) AS name FROM generate_series(0, 4095) i) s
             WHERE current_setting(s.name, true) <> ''""";

    private static final String REMEMBER_ALL = """
            SELECT set_config('homeshard.pass_' || to_hex(i), ?, false) FROM generate_series(0, 4095) i""";

    private static final String SET = "SELECT set_config(?, ?, false)";
    private static final String DECLARED = "SELECT COALESCE(current_setting('app.tenant_id', true), '')";
    private static final String SECRETS = "SELECT count(*) FROM pooled.secret";

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

    @BeforeEach
    void connect() throws SQLException, IOException {
        bouncer = PgBouncer.start(shard.database(), Pooling.transactions(1));
        a = bouncer.client();
        b = bouncer.client();
    }

    @AfterEach
    void disconnect() throws SQLException, IOException {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    /** The premise of this class. */
    @Test
    void settingsOfTheSessionLeak() throws SQLException {
        a.run("SET SESSION homeshard.pass_1f = 'x'");
        assertThat(b.value("SELECT current_setting('homeshard.pass_1f')")).isEqualTo("x");
    }

    @Test
    void inventedPassesOpenNothing() throws SQLException {
        String frozen = shard.owned();
        shard.freeze(frozen);
        String foreign = PooledShard.foreign();
        String[] inventions = {"%1$s", "%1$s0", "%1$s1", "t", "owned", "%1$s/", "%1$s-1", "%1$s9223372036854775807"};
        for (String invention : inventions) {
            for (String tenant : new String[] {frozen, foreign}) {
                a.run(REMEMBER_ALL, invention.formatted(tenant));
                assertThat(a.write(tenant)).as(invention).isIn("HS001", "HS002");
                assertThat(b.write(tenant)).as(invention).isIn("HS001", "HS002");
            }
        }
        assertThat(shard.rows(frozen)).isEmpty();
        assertThat(shard.rows(foreign)).isEmpty();
        String owned = shard.owned();
        assertThat(b.write(owned)).as("nor do they close anything").isEqualTo(OK);
    }

    /** A pass that was good, kept by a client and set again when it is not any more. */
    @Test
    void oldPassesOpenNothing() throws SQLException {
        String tenant = shard.owned();
        assertThat(a.write(tenant)).isEqualTo(OK);
        Map<String, String> old = remembered(b);
        assertThat(old.values()).hasSize(1).allMatch(pass -> pass.startsWith(tenant));
        shard.freeze(tenant);
        for (int cycle = 0; cycle < 3; cycle++) {
            remember(old);
            assertThat(b.write(tenant)).isEqualTo("HS002");
            assertThat(a.write(tenant)).isEqualTo("HS002");
            shard.thaw(tenant);
            assertThat(b.write(tenant)).as("owned again").isEqualTo(OK);
            shard.freeze(tenant);
        }
        shard.moveAway(tenant);
        remember(old);
        assertThat(b.write(tenant)).isEqualTo("HS001");
        assertThat(shard.rows(tenant)).hasSize(4);
    }

    /** The pass of one tenant under the name of another, in every place. */
    @Test
    void passesOfOtherTenantsOpenNothing() throws SQLException {
        String owned = shard.owned();
        String frozen = shard.owned();
        shard.freeze(frozen);
        assertThat(a.write(owned)).isEqualTo(OK);
        Collection<String> passes = remembered(a).values();
        assertThat(passes).hasSize(1);
        for (String pass : passes) {
            a.run(REMEMBER_ALL, pass);
            assertThat(b.write(frozen)).isEqualTo("HS002");
            a.run(REMEMBER_ALL, pass.replace(owned, frozen));
            assertThat(b.write(frozen)).isEqualTo("HS002");
        }
        assertThat(b.write(owned)).isEqualTo(OK);
        assertThat(shard.rows(frozen)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.tenant_id", "homeshard.mover", "homeshard.opened", "homeshard.has_passes"})
    void otherSettingsOpenNothing(String setting) throws SQLException {
        String frozen = shard.owned();
        String own = shard.owned();
        shard.freeze(frozen);
        a.run(SET, setting, frozen);
        assertThat(b.value("SELECT current_setting(?)", setting)).isEqualTo(frozen);
        assertThat(b.write(frozen)).isEqualTo("HS002");
        assertThat(b.write(own)).as("another tenant than the one declared").isEqualTo(OK);
        String foreign = PooledShard.foreign();
        a.run(SET, setting, foreign);
        assertThat(b.write(foreign)).isEqualTo("HS001");
    }

    /** JDBC's setTransactionIsolation is such a setting. */
    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void aLevelThatTheClientDidNotAskForIsNoticed(String level) throws SQLException {
        String tenant = shard.owned();
        a.run("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
        b.run("BEGIN");
        assertThat(b.value("SHOW transaction_isolation")).isEqualToIgnoringCase(level);
        b.value("SELECT count(*) FROM pooled.ledger");
        shard.freeze(tenant);
        assertThat(b.write(tenant)).isEqualTo("40001");
        b.run("ROLLBACK");
        assertThat(b.write(tenant)).isEqualTo("HS002");
        shard.thaw(tenant);
        assertThat(b.write(tenant)).isEqualTo(OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"enter", "visit"})
    void theTenantIsDeclaredToItsTransactionOnly(String function) throws SQLException {
        String ofA = shard.owned();
        shard.owner().run("INSERT INTO pooled.secret VALUES (?, 1)", ofA);
        String call = "SELECT homeshard." + function + "(?, 1)";
        for (String end : new String[] {"COMMIT", "ROLLBACK"}) {
            a.run("BEGIN");
            a.run(call, ofA);
            assertThat(a.value(DECLARED)).isEqualTo(ofA);
            assertThat(a.value(SECRETS)).isEqualTo("1");
            a.run(end);
            assertThat(b.value(DECLARED)).isEmpty();
            assertThat(b.value(SECRETS)).isEqualTo("0");
        }
        a.run(call, ofA);
        assertThat(b.value(DECLARED)).as("autocommit").isEmpty();
        assertThat(a.value(DECLARED)).as("autocommit").isEmpty();
    }

    @Test
    void aDeclarationIsRolledBackToTheSavepoint() throws SQLException {
        String first = shard.owned();
        String second = shard.owned();
        a.run("BEGIN");
        a.run("SELECT homeshard.enter(?, 1)", first);
        a.run("SAVEPOINT s");
        a.run("SELECT homeshard.enter(?, 1)", second);
        assertThat(a.value(DECLARED)).isEqualTo(second);
        a.run("ROLLBACK TO s");
        assertThat(a.value(DECLARED)).isEqualTo(first);
        assertThat(shard.freezes(second, PooledShard.BRIEF)).isTrue();
        assertThat(shard.freezes(first, PooledShard.BRIEF)).isFalse();
        assertThat(a.write(first)).isEqualTo(OK);
        a.run("COMMIT");
        assertThat(b.value(DECLARED)).isEmpty();
        shard.freeze(first);
        assertThat(b.attempt("SELECT homeshard.enter(?, 1)", first)).isEqualTo("HS002");
        assertThat(b.value(DECLARED)).isEmpty();
    }

    /** A client declares its own tenant whatever another has left. */
    @Test
    void aDeclarationCoversWhatLeaked() throws SQLException {
        String own = shard.owned();
        String other = shard.owned();
        shard.owner().run("INSERT INTO pooled.secret VALUES (?, 1), (?, 2), (?, 3)", own, own, other);
        a.run(SET, "app.tenant_id", other);
        b.run("BEGIN");
        b.run("SELECT homeshard.enter(?, 1)", own);
        assertThat(b.value(SECRETS)).isEqualTo("2");
        b.run("COMMIT");
    }

    private static Map<String, String> remembered(Client client) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        Jdbc.list(client.connection(), REMEMBERED, row -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
        return settings;
    }

    private void remember(Map<String, String> settings) throws SQLException {
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            a.run(SET, setting.getKey(), setting.getValue());
        }
    }
}
