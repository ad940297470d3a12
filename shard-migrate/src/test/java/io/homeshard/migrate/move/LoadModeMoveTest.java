package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Triggers and foreign keys while rows are copied, swept and cleaned: moves of tables that have both in the way. */
class LoadModeMoveTest {
    private static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").ignore("app.audit", "app.outside").build();

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

    private static void fill(io.homeshard.model.TenantId tenant, int first) throws SQLException {
        lab.tenant(tenant, s1);
        lab.run(s1, "INSERT INTO app.a SELECT ?, i, NULL FROM generate_series(1, 20) i", tenant.value());
        lab.run(s1, "INSERT INTO app.b SELECT ?, i, i FROM generate_series(1, 20) i", tenant.value());
        lab.run(s1, "UPDATE app.a SET b = id WHERE tenant_id = ?", tenant.value());
        lab.run(s1, "INSERT INTO app.single SELECT ?, i FROM generate_series(?, ?) i", tenant.value(), first, first + 9);
        lab.run(s1, "TRUNCATE app.audit");
        lab.run(s2, "TRUNCATE app.audit");
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
        MovePlan plan = failing.plan(MoveLab.ACME, s2);
        assertThat(failing.execute(plan, PhaseListener.at(MovePhase.VERIFIED, move -> failing.cancel(move.id(), "test")))
                        .outcome())
                .isEqualTo(MoveReport.Outcome.ABORTED);
        assertThat(lab.count(s2, "SELECT (SELECT count(*) FROM app.a) + (SELECT count(*) FROM app.single)"))
                .isZero();
        assertNothingFired();

        MoveReport report = lab.move(MoveLab.ACME, s2);
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.rows()).isEqualTo(50);

        MoveEngine cleaner = lab.engine();
        assertThat(cleaner.clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(lab.count(s1, "SELECT (SELECT count(*) FROM app.a) + (SELECT count(*) FROM app.single)"))
                .isZero();
        assertNothingFired();
    }

    /** With keys out of force nothing but the sweep itself keeps other rows from pointing into the void. */
    @Test
    void rowsThatOthersReferToAreNotSwept() throws SQLException {
        fill(MoveLab.OTHER, 101);
        MoveReport report = lab.move(MoveLab.OTHER, s2);
        lab.run(s1, "INSERT INTO app.outside VALUES (105)");
        MoveEngine cleaner = lab.engine();
        assertThat(cleaner.clean(report.move(), true).toString()).contains("hang on its rows of app.single");
        assertThat(lab.count(s1, "SELECT count(*) FROM app.single WHERE id > 100"))
                .isEqualTo(10);
        lab.run(s1, "DELETE FROM app.outside");
        assertThat(cleaner.clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertNothingFired();
    }
}
