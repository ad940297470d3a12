package io.homeshard.migrate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LoadChoiceTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static final String ROLE = "mover_" + Long.toUnsignedString(System.nanoTime(), 36);
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    private static final String TABLES = """
            CREATE TABLE app.ev (tenant_id text, id int) PARTITION BY LIST (id);
            CREATE TABLE app.ev_1 PARTITION OF app.ev DEFAULT;
            CREATE TABLE app.t (tenant_id text PRIMARY KEY);
            CREATE TABLE app.other (id int);
            CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
            CREATE TRIGGER on_other BEFORE INSERT ON app.other FOR EACH ROW EXECUTE FUNCTION app.f();
            CREATE TRIGGER on_update BEFORE UPDATE ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();
            """;
    private static final String CIRCLE = """
            CREATE TABLE app.a (tenant_id text PRIMARY KEY);
            CREATE TABLE app.b (tenant_id text PRIMARY KEY REFERENCES app.a);
            ALTER TABLE app.a ADD CONSTRAINT back FOREIGN KEY (tenant_id) REFERENCES app.b;
            """;

    private static TwoShards shards;

    @BeforeAll
    static void open() throws SQLException {
        shards = TwoShards.inApp("");
        both("CREATE ROLE " + ROLE);
    }

    @AfterAll
    static void close() throws SQLException {
        both("DROP OWNED BY " + ROLE + "; DROP ROLE " + ROLE);
        shards.close();
    }

    @AfterEach
    void reset() throws SQLException {
        both("RESET ROLE; REVOKE ALL ON PARAMETER session_replication_role FROM " + ROLE);
    }

    private static void both(String sql) throws SQLException {
        source(sql);
        target(sql);
    }

    private static void source(String sql) throws SQLException {
        TwoShards.run(shards.source(), sql);
    }

    private static void target(String sql) throws SQLException {
        TwoShards.run(shards.target(), sql);
    }

    private static void tables(String more) throws SQLException {
        both("DROP SCHEMA app CASCADE; CREATE SCHEMA app;" + TABLES + more);
    }

    /** The role without rights is set on either side, as wanted. */
    private static LoadChoice choice(boolean sourceMay, boolean targetMay) throws SQLException {
        TenantCatalog catalog = shards.catalog();
        source(sourceMay ? "RESET ROLE" : "SET ROLE " + ROLE);
        target(targetMay ? "RESET ROLE" : "SET ROLE " + ROLE);
        return LoadChoice.decide(
                catalog.groups(),
                LoadFacts.read(S1, shards.source(), catalog),
                LoadFacts.read(S2, shards.target(), TenantCatalog.read(shards.target(), APP)));
    }

    private static List<String> texts(LoadChoice choice) {
        return choice.findings().stream().map(Finding::toString).toList();
    }

    @Test
    void keysAndTriggersStayInForceWhereNothingIsInTheWay() throws SQLException {
        tables("ALTER TABLE app.t ADD CONSTRAINT own FOREIGN KEY (tenant_id) REFERENCES app.t;"
                + "CREATE TRIGGER replayed BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "ALTER TABLE app.t ENABLE REPLICA TRIGGER replayed;"
                + "CREATE TRIGGER off BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "ALTER TABLE app.t DISABLE TRIGGER off");
        assertThat(choice(true, true)).isEqualTo(new LoadChoice(LoadMode.PLAIN, List.of()));
        assertThat(choice(false, false)).isEqualTo(new LoadChoice(LoadMode.PLAIN, List.of()));
    }

    @Test
    void triggersAreSilencedWhereTheRoleMayAndErrorsWhereItMayNot() throws SQLException {
        tables("CREATE TRIGGER stamp AFTER INSERT OR UPDATE ON app.ev_1 FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "CREATE TRIGGER gone AFTER DELETE ON app.t EXECUTE FUNCTION app.f();"
                + "CREATE RULE keep AS ON DELETE TO app.t WHERE tenant_id = 'x' DO INSTEAD NOTHING");
        LoadChoice allowed = choice(true, true);
        assertThat(allowed.mode()).isEqualTo(LoadMode.REPLICA);
        assertThat(texts(allowed))
                .allMatch(text -> text.startsWith("NOTE trigger-silenced"))
                .hasSize(5)
                .contains("NOTE trigger-silenced - shard s2, table app.ev: trigger stamp does not fire for the rows of"
                        + " the move (session_replication_role=replica) (nothing to do; foreign keys are checked after"
                        + " the copy)");

        for (boolean sourceMay : List.of(true, false)) {
            LoadChoice refused = choice(sourceMay, false);
            String remedy = "(GRANT SET ON PARAMETER session_replication_role TO \"" + ROLE + "\" on "
                    + (sourceMay ? "shard s2" : "both shards") + ", or disable the trigger for the move)";
            assertThat(refused.mode()).isEqualTo(LoadMode.PLAIN);
            assertThat(texts(refused))
                    .containsExactly(
                            "ERROR trigger-fires - shard s1, table app.t: trigger gone would fire for rows that are"
                                    + " cleaned away " + remedy,
                            "ERROR trigger-fires - shard s1, table app.t: trigger keep would fire for rows that are"
                                    + " cleaned away " + remedy,
                            "ERROR trigger-fires - shard s2, table app.ev: trigger stamp would fire for rows that are"
                                    + " copied " + remedy,
                            "ERROR trigger-fires - shard s2, table app.t: trigger gone would fire for rows that are swept "
                                    + remedy,
                            "ERROR trigger-fires - shard s2, table app.t: trigger keep would fire for rows that are swept "
                                    + remedy);
        }
    }

    /** The grant is enough; nobody needs to be a superuser. */
    @Test
    void rightToSetTheRoleIsAskedForAndNotGuessed() throws SQLException {
        tables("CREATE TRIGGER stamp AFTER INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f()");
        both("GRANT SET ON PARAMETER session_replication_role TO " + ROLE);
        assertThat(choice(false, false).mode()).isEqualTo(LoadMode.REPLICA);
        source("SET session_replication_role = replica; RESET session_replication_role");
    }

    @Test
    void nothingKeepsTriggersThatFireAlwaysOrForReplicasFromFiring() throws SQLException {
        tables("CREATE TRIGGER stamp AFTER INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "CREATE TRIGGER replayed AFTER INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "CREATE TRIGGER always AFTER INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "ALTER TABLE app.t ENABLE REPLICA TRIGGER replayed, ENABLE ALWAYS TRIGGER always");
        assertThat(texts(choice(true, true)))
                .containsExactly(
                        "ERROR trigger-fires - shard s2, table app.t: trigger always would fire for rows that are copied"
                                + " (disable the trigger for the move: in state ALWAYS nothing keeps it from firing)",
                        "ERROR trigger-fires - shard s2, table app.t: trigger replayed would fire for rows that are copied"
                                + " (disable the trigger for the move: in state REPLICA nothing keeps it from firing)",
                        "NOTE trigger-silenced - shard s2, table app.t: trigger stamp does not fire for the rows of the"
                                + " move (session_replication_role=replica) (nothing to do; foreign keys are checked"
                                + " after the copy)");
    }

    @Test
    void circleIsLoadedSilencedOrDeferredOrNotAtAll() throws SQLException {
        tables(CIRCLE);
        assertThat(choice(true, true)).isEqualTo(new LoadChoice(LoadMode.REPLICA, List.of()));
        LoadChoice refused = choice(true, false);
        assertThat(refused.mode()).isEqualTo(LoadMode.PLAIN);
        assertThat(texts(refused))
                .containsExactly("ERROR foreign-key-circle - shard s2, table app.a: tables [app.a, app.b] refer to each"
                        + " other in a circle by keys that cannot be deferred [app.a.back, app.b.b_tenant_id_fkey] (GRANT"
                        + " SET ON PARAMETER session_replication_role TO \"" + ROLE + "\" on shard s2, or ALTER TABLE"
                        + " ... ALTER CONSTRAINT ... DEFERRABLE on both shards)");

        reset();
        tables(CIRCLE + "ALTER TABLE app.a ALTER CONSTRAINT back DEFERRABLE");
        assertThat(choice(true, false)).isEqualTo(new LoadChoice(LoadMode.PLAIN, List.of()));

        reset();
        tables(CIRCLE + "ALTER TABLE app.a ALTER CONSTRAINT back DEFERRABLE;"
                + "CREATE TRIGGER replayed AFTER INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"
                + "ALTER TABLE app.t ENABLE REPLICA TRIGGER replayed");
        assertThat(choice(true, true))
                .as("deferred, since silencing would set the trigger off")
                .isEqualTo(new LoadChoice(LoadMode.PLAIN, List.of()));
    }
}
