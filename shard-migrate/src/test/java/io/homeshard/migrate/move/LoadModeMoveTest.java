package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Triggers and foreign keys while rows are copied, swept and cleaned: moves of tables that have both in the way. */
class LoadModeMoveTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .ignore("app.audit", "app.outside")
            .build();

    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.audit(what text);
            CREATE TABLE app.a(tenant_id text, id int, b int, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.b(tenant_id text, id int, a int NOT NULL, PRIMARY KEY (tenant_id, id),
              FOREIGN KEY (tenant_id, a) REFERENCES app.a);
            ALTER TABLE app.a ADD FOREIGN KEY (tenant_id, b) REFERENCES app.b;
            CREATE TABLE app.single(tenant_id text, id int PRIMARY KEY);
            CREATE TABLE app.outside(single int REFERENCES app.single);
            CREATE FUNCTION app.audit() RETURNS trigger LANGUAGE plpgsql AS
              'BEGIN INSERT INTO app.audit VALUES (TG_OP || TG_TABLE_NAME); RETURN COALESCE(NEW, OLD); END';
            CREATE TRIGGER audit AFTER INSERT OR DELETE ON app.a FOR EACH ROW EXECUTE FUNCTION app.audit();
            CREATE TRIGGER audit AFTER INSERT OR DELETE ON app.single FOR EACH ROW EXECUTE FUNCTION app.audit();
            """;

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    private static void fill(TenantId tenant, int first) throws SQLException {
        lab.tenant(tenant, s1);
        lab.run(s1, "INSERT INTO app.a SELECT ?, i, NULL FROM generate_series(1, 20) i", tenant.value());
        lab.run(s1, "INSERT INTO app.b SELECT ?, i, i FROM generate_series(1, 20) i", tenant.value());
        lab.run(s1, "UPDATE app.a SET b = id WHERE tenant_id = ?", tenant.value());
        lab.run(
                s1,
                "INSERT INTO app.single SELECT ?, i FROM generate_series(?, ?) i",
                tenant.value(),
                first,
                first + 9);
        lab.run(s1, "TRUNCATE app.audit");
        lab.run(s2, "TRUNCATE app.audit");
    }

    /** The tables are not as they should be, and that is known. */
    private static MovePlan plan(MoveEngine engine, TenantId tenant) {
        MovePlan plan = engine.plan(tenant, s2);
        return plan.accepting(plan.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::name)
                .toArray(String[]::new));
    }

    private static MoveReport move(TenantId tenant) {
        MoveEngine engine = lab.engine();
        return engine.execute(plan(engine, tenant), MoveListener.NONE);
    }

    private static long rows(ShardId shard, TenantId tenant) {
        String of = tenant.value();
        return lab.count(shard, "SELECT count(*) FROM app.a WHERE tenant_id = ?", of)
                + lab.count(shard, "SELECT count(*) FROM app.b WHERE tenant_id = ?", of)
                + lab.count(shard, "SELECT count(*) FROM app.single WHERE tenant_id = ?", of);
    }

    private static void assertNothingFired() {
        for (ShardId shard : new ShardId[] {s1, s2}) {
            assertThat(lab.query(shard, "SELECT what FROM app.audit")).isEmpty();
        }
    }

    @Test
    void neitherCopyNorUndoingNorCleaningSetsTriggersOff() throws SQLException {
        fill(MoveLab.ACME, 1);
        MoveEngine failing = lab.engine();
        MovePlan plan = plan(failing, MoveLab.ACME);
        MoveListener cancelling = PhaseListener.at(MovePhase.VERIFIED, move -> failing.cancel(move.id(), "test"));
        assertThatThrownBy(() -> failing.execute(plan, cancelling)).hasMessageContaining("aborted and undone");
        assertThat(rows(s2, MoveLab.ACME)).isZero();
        assertNothingFired();

        MoveReport report = move(MoveLab.ACME);
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.rows()).isEqualTo(50);

        MoveEngine cleaner = lab.engine();
        assertThat(cleaner.clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(rows(s1, MoveLab.ACME)).isZero();
        assertNothingFired();
    }

    /** One that keeps rows and one that is told of each statement: both fire for the application, and not for the mover. */
    @Test
    void deleteTriggersDoNotFireWhileOldRowsAreCleaned() throws SQLException {
        TenantId tenant = TenantId.of("deleting");
        for (ShardId shard : new ShardId[] {s1, s2}) {
            lab.run(shard, "CREATE FUNCTION app.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            lab.run(shard, "CREATE TRIGGER keep BEFORE DELETE ON app.b FOR EACH ROW EXECUTE FUNCTION app.keep()");
            lab.run(shard, "CREATE TRIGGER told AFTER DELETE ON app.b FOR EACH STATEMENT EXECUTE FUNCTION app.audit()");
        }
        try {
            fill(tenant, 201);
            lab.run(s1, "DELETE FROM app.b WHERE tenant_id = ?", tenant.value());
            assertThat(rows(s1, tenant)).isEqualTo(50);
            assertThat(lab.query(s1, "SELECT what FROM app.audit")).containsExactly("DELETEb");
            lab.run(s1, "TRUNCATE app.audit");
            MoveEngine engine = lab.engine();
            MovePlan plan = plan(engine, tenant);
            assertThat(plan.load()).isEqualTo(LoadMode.REPLICA);

            engine.clean(engine.execute(plan, MoveListener.NONE).move(), true);

            assertThat(rows(s1, tenant)).isZero();
            assertThat(rows(s2, tenant)).isEqualTo(50);
            assertNothingFired();
        } finally {
            for (ShardId shard : new ShardId[] {s1, s2}) {
                lab.run(shard, "DROP FUNCTION app.keep() CASCADE");
                lab.run(shard, "DROP TRIGGER told ON app.b");
            }
        }
    }

    /** With keys out of force nothing but the sweep itself keeps other rows from pointing into the void. */
    @Test
    void rowsThatOthersReferToAreNotSwept() throws SQLException {
        fill(MoveLab.OTHER, 101);
        MoveReport report = move(MoveLab.OTHER);
        lab.run(s1, "INSERT INTO app.outside VALUES (105)");
        MoveEngine cleaner = lab.engine();
        assertThatThrownBy(() -> cleaner.clean(report.move(), true))
                .hasStackTraceContaining("hang on its rows of app.single");
        assertThat(lab.count(s1, "SELECT count(*) FROM app.single WHERE id > 100"))
                .isEqualTo(10);
        lab.run(s1, "DELETE FROM app.outside");
        lab.expire(report.move());
        assertThat(cleaner.clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertNothingFired();
    }
}
