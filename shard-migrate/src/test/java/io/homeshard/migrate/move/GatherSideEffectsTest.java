package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.DirectoryMending;
import io.homeshard.migrate.gather.Gather;
import io.homeshard.migrate.gather.GatherException;
import io.homeshard.migrate.gather.GatherParts;
import io.homeshard.migrate.gather.Handling;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the application's triggers, cascades and keys would make of rows that are gathered. */
class GatherSideEffectsTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static MoveLab lab;
    private final TenantId tenant = TenantId.of("acme-" + UUID.randomUUID());

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(
                2,
                TenantSchema.tenantColumn("tenant_id")
                        .inSchemas("app")
                        .ignore("app.audit", "app.pointer")
                        .build(),
                """
                CREATE SCHEMA app;
                CREATE TABLE app.dept (tenant_id text NOT NULL, id int NOT NULL, head int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.emp (tenant_id text NOT NULL, id int NOT NULL, dept int, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, dept) REFERENCES app.dept ON DELETE CASCADE);
                ALTER TABLE app.dept ADD FOREIGN KEY (tenant_id, head) REFERENCES app.emp ON DELETE CASCADE;
                CREATE TABLE app.c1 (tenant_id text NOT NULL, id int NOT NULL, o int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.c2 (tenant_id text NOT NULL, id int NOT NULL, o int, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, o) REFERENCES app.c1 DEFERRABLE);
                ALTER TABLE app.c1 ADD FOREIGN KEY (tenant_id, o) REFERENCES app.c2 DEFERRABLE;
                CREATE TABLE app.log (tenant_id text NOT NULL, line text NOT NULL);
                CREATE INDEX ON app.log (tenant_id);
                CREATE TABLE app.pos (tenant_id text NOT NULL, id int NOT NULL, rank int,
                  PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, rank) DEFERRABLE INITIALLY DEFERRED);
                CREATE TABLE app.attachment (tenant_id text NOT NULL, id int NOT NULL, note int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.note (tenant_id text NOT NULL, id int NOT NULL, body text, PRIMARY KEY (tenant_id, id));
                CREATE FUNCTION app.drop_attachments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  DELETE FROM app.attachment a WHERE a.tenant_id = OLD.tenant_id AND a.note = OLD.id; RETURN OLD; END $$;
                CREATE TRIGGER gone AFTER DELETE ON app.note FOR EACH ROW EXECUTE FUNCTION app.drop_attachments();
                CREATE TABLE app.audit (id int PRIMARY KEY, t text, n int, what text, FOREIGN KEY (t, n) REFERENCES app.note ON DELETE CASCADE);
                CREATE TABLE app.pointer (id int PRIMARY KEY, t text, n int, FOREIGN KEY (t, n) REFERENCES app.attachment);
                CREATE TABLE app.account (tenant_id text NOT NULL, id int NOT NULL, balance int NOT NULL, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.booking (tenant_id text NOT NULL, id int NOT NULL, account int, amount int,
                  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, account) REFERENCES app.account);
                CREATE FUNCTION app.book() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  UPDATE app.account a SET balance = balance + NEW.amount WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.account;
                  RETURN NEW; END $$;
                CREATE TRIGGER book AFTER INSERT ON app.booking FOR EACH ROW EXECUTE FUNCTION app.book();
                """);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    private void rows(ShardId shard, String... sqls) {
        for (String sql : sqls) {
            lab.run(shard, sql.replace("$1", "'" + tenant.value() + "'"));
        }
    }

    private void strays(String... sqls) throws SQLException {
        lab.tenant(tenant, S1);
        lab.run(
                S2,
                "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES (?, 1, 'owned')",
                tenant.value());
        rows(S2, sqls);
        lab.run(S2, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", tenant.value());
    }

    private long count(ShardId shard, String table) {
        return lab.count(shard, "SELECT count(*) FROM " + table + " WHERE tenant_id = ?", tenant.value());
    }

    @Test
    void circleOfCascades() throws SQLException {
        strays(
                "INSERT INTO app.dept VALUES ($1, 1, NULL)",
                "INSERT INTO app.emp VALUES ($1, 1, 1), ($1, 2, 1)",
                "UPDATE app.dept SET head = 1 WHERE tenant_id = $1");
        gather(Handling.PUT_ASIDE);
        assertThat(count(S2, "app.dept")
                        + count(S2, "app.emp")
                        + count(S2, "homeshard.put_aside")
                        + count(S1, "app.dept")
                        + count(S1, "app.emp"))
                .as("rows that are anywhere; were 3")
                .isEqualTo(3);
    }

    @Test
    void circleWithoutCascade() throws SQLException {
        strays(
                "INSERT INTO app.c1 VALUES ($1, 1, NULL)",
                "INSERT INTO app.c2 VALUES ($1, 1, 1)",
                "UPDATE app.c1 SET o = 1 WHERE tenant_id = $1");
        gather(Handling.PUT_ASIDE);
        assertThat(count(S2, "homeshard.put_aside")).isEqualTo(2);
    }

    @Test
    void keylessMoreThanAtHome() throws SQLException {
        strays("INSERT INTO app.log VALUES ($1, 'x'), ($1, 'x'), ($1, 'x')");
        rows(S1, "INSERT INTO app.log VALUES ($1, 'x')");
        gather(Handling.BRING_HOME);
        assertThat(count(S1, "app.log")).isEqualTo(3);
        assertThat(count(S2, "app.log")).isZero();
    }

    @Test
    void deferrableUnique() throws SQLException {
        strays("INSERT INTO app.pos VALUES ($1, 1, 1), ($1, 2, 2)");
        gather(Handling.BRING_HOME);
        assertThat(count(S1, "app.pos")).isEqualTo(2);
    }

    @Test
    void deleteTriggerTakesOtherStrays() throws SQLException {
        strays("INSERT INTO app.note VALUES ($1, 1, 'n')", "INSERT INTO app.attachment VALUES ($1, 1, 1), ($1, 2, 1)");
        gather(Handling.PUT_ASIDE);
        assertThat(count(S2, "app.attachment") + count(S2, "homeshard.put_aside"))
                .isEqualTo(3);
    }

    @Test
    void cascadeIntoATableThatIsNoTenants() throws SQLException {
        strays("INSERT INTO app.note VALUES ($1, 7, 'n')", "INSERT INTO app.audit VALUES (1, $1, 7, 'only here')");
        assertThatThrownBy(() -> gather(Handling.PUT_ASIDE))
                .isInstanceOf(GatherException.class)
                .hasMessageContaining("app.audit");
        assertThat(lab.count(S2, "SELECT count(*) FROM app.audit")).isOne();
    }

    /** Keys are not enforced while strays go: none may be left dangling. */
    @Test
    void keyOfATableThatIsNoTenants() throws SQLException {
        strays("INSERT INTO app.attachment VALUES ($1, 9, 1)", "INSERT INTO app.pointer VALUES (1, $1, 9)");
        assertThatThrownBy(() -> gather(Handling.PUT_ASIDE))
                .isInstanceOf(GatherException.class)
                .hasMessageContaining("app.pointer");
        assertThat(count(S2, "app.attachment")).isOne();
    }

    @Test
    void insertTriggerDoublesAtHome() throws SQLException {
        strays("INSERT INTO app.account VALUES ($1, 1, 0)", "INSERT INTO app.booking VALUES ($1, 1, 1, 50)");
        assertThatThrownBy(() -> gather(Handling.BRING_HOME))
                .isInstanceOf(GatherException.class)
                .hasMessageContaining("book of app.booking");
        assertThat(count(S1, "app.account")).isZero();
        gather(Handling.PUT_ASIDE);
        assertThat(count(S2, "homeshard.put_aside")).isEqualTo(2);
    }

    private void gather(Handling handling) {
        MoveParts parts = lab.parts(MoveLab.CONFIG);
        Gather.of(new GatherParts(
                        parts.directory(),
                        parts.journal(),
                        DirectoryMending.jdbc(lab.directoryDataSource),
                        parts.guard(),
                        parts.pools(),
                        parts.tables(),
                        parts.clocks(),
                        Duration.ofSeconds(20)))
                .run(tenant, handling);
    }
}
