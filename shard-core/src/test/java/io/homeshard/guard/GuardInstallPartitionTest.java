package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes to a guarded table, and goes from it, after the guard was installed. */
class GuardInstallPartitionTest {
    private GuardedShard shard;
    private TenantId mine;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.empty();
        shard.sql(
                "CREATE TABLE ev (tenant_id text, p int, id int) PARTITION BY LIST (p)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1)",
                "CREATE TABLE doc (tenant_id text, id int)");
        shard.install(NOTES);
        mine = shard.owned();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private void refused(String table, int p) {
        fails("HS001", () -> shard.sql("INSERT INTO " + table + " (tenant_id, p) VALUES ('x', " + p + ")"));
    }

    private void found(String gap) throws SQLException {
        assertThat(shard.gaps()).anyMatch(found -> found.contains(gap));
        try (Connection connection = shard.connect()) {
            fails("HS006", () -> shard.guard.freeze(connection, mover(mine), 1, GuardedShard.SOON));
        }
    }

    private void installed(String table, int p) throws SQLException {
        shard.install(NOTES);
        assertThat(shard.gaps()).isEmpty();
        refused(table, p);
        fails("HS003", () -> shard.sql("TRUNCATE " + table));
        shard.sql("INSERT INTO " + table + " (tenant_id, p) VALUES ('" + mine + "', " + p + ")");
    }

    @Test
    void aNewPartitionIsGuardedAtOnce() throws SQLException {
        shard.sql("CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2)");
        refused("ev", 2);
        refused("ev2", 2);
        found("public.ev2 has no guard");
        shard.sql("TRUNCATE ev2");
        installed("ev2", 2);
    }

    @Test
    void aNewPartitionOfAPartitionIsGuardedAtOnce() throws SQLException {
        shard.sql(
                "CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2) PARTITION BY LIST (id)",
                "CREATE TABLE ev2x PARTITION OF ev2 DEFAULT");
        refused("ev2", 2);
        refused("ev2x", 2);
        found("public.ev2x has no guard");
        installed("ev2x", 2);
        shard.sql("CREATE TABLE ev27 PARTITION OF ev2 FOR VALUES IN (7)");
        fails("HS001", () -> shard.sql("INSERT INTO ev27 VALUES ('x', 2, 7)"));
    }

    @Test
    void anAttachedTableIsGuardedAtOnce() throws SQLException {
        shard.sql("CREATE TABLE old (id int, tenant_id text, p int)", "INSERT INTO old VALUES (1, 'x', 2)");
        shard.sql("ALTER TABLE ev ATTACH PARTITION old FOR VALUES IN (2)");
        refused("old", 2);
        refused("ev", 2);
        fails("HS001", () -> shard.sql("UPDATE ev SET id = 2"));
        found("public.old has no guard");
        installed("old", 2);
    }

    @Test
    void aTableThatWasGuardedByItselfCanBeAttached() throws SQLException {
        shard.sql("CREATE TABLE old (tenant_id text, p int, id int)");
        shard.install(NOTES);
        shard.sql("ALTER TABLE ev ATTACH PARTITION old FOR VALUES IN (2)");
        refused("old", 2);
        refused("ev", 2);
        fails("HS003", () -> shard.sql("TRUNCATE old"));
        installed("old", 2);
    }

    /** Its triggers have the names that the root's copies would have. */
    @Test
    void aTreeThatWasGuardedByItselfIsAttachedWithoutItsOwnTriggers() throws SQLException {
        String attach = "ALTER TABLE ev ATTACH PARTITION sub FOR VALUES IN (2)";
        shard.sql(
                "CREATE TABLE sub (tenant_id text, p int, id int) PARTITION BY LIST (id)",
                "CREATE TABLE sub1 PARTITION OF sub DEFAULT");
        shard.install(NOTES);
        fails("42710", () -> shard.sql(attach));
        refused("sub1", 2);
        try (Connection script = shard.connect()) {
            script.setAutoCommit(false);
            for (String event : new String[] {"i", "u", "d"}) {
                Jdbc.run(script, "DROP TRIGGER zz_homeshard_tree_" + event + " ON sub");
            }
            Jdbc.run(script, attach);
            script.commit();
        }
        refused("sub1", 2);
        refused("ev", 2);
        installed("sub1", 2);
    }

    @Test
    void aDetachedPartitionIsFoundGuardedAndAttachedAgain() throws SQLException {
        shard.sql("ALTER TABLE ev DETACH PARTITION ev1");
        fails("HS003", () -> shard.sql("TRUNCATE ev1"));
        found("public.ev1");
        installed("ev1", 1);
        shard.sql("ALTER TABLE ev ATTACH PARTITION ev1 FOR VALUES IN (1)");
        refused("ev1", 1);
        installed("ev1", 1);
    }

    @Test
    void aDroppedPartitionLeavesNoFinding() throws SQLException {
        shard.sql("DROP TABLE ev1");
        assertThat(shard.gaps()).isEmpty();
        shard.sql("CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1)");
        installed("ev1", 1);
    }

    @Test
    void aNewInheritanceChildIsFound() throws SQLException {
        shard.sql("CREATE TABLE letter (p int) INHERITS (doc)");
        shard.sql("INSERT INTO letter (tenant_id) VALUES ('x')");
        found("public.letter has no guard");
        shard.sql("DELETE FROM ONLY letter");
        installed("letter", 2);
        shard.sql("CREATE TABLE memo (tenant_id text, id int, p int)", "ALTER TABLE memo INHERIT doc");
        found("public.memo has no guard");
        installed("memo", 2);
        shard.sql("ALTER TABLE memo NO INHERIT doc");
        assertThat(shard.gaps()).isEmpty();
        refused("memo", 2);
    }

    @Test
    void triggersThatWereDisabledAndEnabledAreFoundOnRootAndLeaf() throws SQLException {
        for (String table : new String[] {"ev", "ev1", "doc"}) {
            shard.sql("ALTER TABLE " + table + " DISABLE TRIGGER ALL");
            found("public." + table + " has trigger ");
            found("tgenabled=D");
            shard.sql("ALTER TABLE " + table + " ENABLE TRIGGER ALL");
            found("public." + table + " has trigger ");
            found("tgenabled=O");
            shard.install(NOTES);
            assertThat(shard.gaps()).isEmpty();
        }
        installed("ev1", 1);
    }

    @Test
    void aTreeThatIsIgnoredLosesTheGuardAndGetsItBack() throws SQLException {
        shard.sql("CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2)", "CREATE TABLE aaa PARTITION OF ev DEFAULT");
        shard.install(NOTES);
        TenantSchema fewer = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public")
                .ignore("public.ev")
                .build();
        shard.install(fewer);
        assertThat(shard.gaps()).isEmpty();
        shard.sql("INSERT INTO ev VALUES ('x', 1)", "INSERT INTO aaa VALUES ('x', 9)", "TRUNCATE ev");
        assertThat(shard.number("SELECT count(*) FROM homeshard.guarded")).isEqualTo(1);
        installed("aaa", 9);
        installed("ev", 1);
    }
}
