package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.alreadyDone;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static io.homeshard.guard.GuardedShard.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A team leaves: the guard goes from all tables, or from none while a move would suffer. */
class GuardInstallRemoveTest {
    private static final String OURS = """
            SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
             WHERE p.pronamespace = 'homeshard'::regnamespace AND c.relnamespace <> 'homeshard'::regnamespace""";

    /** All that the application has, down to the last constraint, index, trigger, policy and default. */
    private static final String APPLICATION = """
            SELECT string_agg(x, E'\\n' ORDER BY x) FROM (
              SELECT pg_describe_object(d.classid, d.objid, d.objsubid) FROM pg_depend d
               WHERE d.classid IN ('pg_class'::regclass, 'pg_trigger'::regclass, 'pg_constraint'::regclass,
                 'pg_policy'::regclass, 'pg_attrdef'::regclass, 'pg_proc'::regclass, 'pg_rewrite'::regclass)) o (x)
             WHERE x NOT LIKE '%homeshard%' AND x NOT LIKE '%pg_toast%'""";

    private GuardedShard shard;
    private TenantId mine;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
        shard.sql(
                "CREATE TABLE ev (tenant_id text, part int, id int) PARTITION BY LIST (part)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1) PARTITION BY LIST (id)",
                "CREATE TABLE ev11 PARTITION OF ev1 FOR VALUES IN (1)",
                "CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2)",
                "CREATE TABLE \"a\"\"b.c\" (tenant_id text, id int)",
                "CREATE SCHEMA other",
                "CREATE TABLE other.letter (seal text) INHERITS (scrap)");
        shard.install(NOTES);
        mine = shard.owned();
        shard.write(mine, 1);
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private StepResult remove() throws SQLException {
        return remove(WriteGuard.create(), SOON);
    }

    private StepResult remove(WriteGuard guard, Duration lockTimeout) throws SQLException {
        try (Connection connection = shard.connect()) {
            return guard.remove(connection, lockTimeout);
        }
    }

    private void freezeIsRefused() throws SQLException {
        try (Connection connection = shard.connect()) {
            fails("HS006", () -> shard.guard.freeze(connection, mover(mine), 1, SOON));
        }
    }

    private void nothingWasTouched() throws SQLException {
        assertThat(shard.gaps()).isEmpty();
        fails("HS001", () -> shard.sql("INSERT INTO scrap VALUES ('nobody')"));
        fails("HS003", () -> shard.sql("TRUNCATE ev"));
    }

    private void writesGoAsWithoutGuard() throws SQLException {
        for (String table : List.of("note", "scrap", "other.letter", "\"a\"\"b.c\"")) {
            shard.sql("INSERT INTO " + table + " (tenant_id"
                    + (table.equals("note") ? ", id) VALUES ('x', 1)" : ") VALUES ('x')"));
        }
        for (String table : List.of("ev", "ev1", "ev11")) {
            shard.sql("INSERT INTO " + table + " VALUES ('x', 1, 1)");
        }
        shard.sql("UPDATE ev SET tenant_id = 'y', part = 2", "DELETE FROM scrap", "TRUNCATE ev, other.letter");
    }

    @Test
    void theGuardGoesFromEveryRelationAndFreezeRefuses() throws SQLException {
        done(remove());
        assertThat(shard.number(OURS)).isZero();
        assertThat(shard.number("SELECT count(*) FROM homeshard.guarded")).isZero();
        freezeIsRefused();
        writesGoAsWithoutGuard();
        assertThat(shard.number("SELECT homeshard.enter(?, 1)", mine.value())).isEqualTo(1);
        alreadyDone(remove());
        freezeIsRefused();
    }

    @Test
    void whatRemainsIsDroppedWithoutReachingTheApplication() throws SQLException {
        shard.sql(
                "CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "CREATE TRIGGER own BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION own()",
                "CREATE VIEW seen AS SELECT * FROM note",
                "ALTER TABLE scrap ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY own ON scrap USING (tenant_id = current_setting('app.tenant_id', true))");
        done(remove());
        try (Connection connection = shard.connect()) {
            String before = GuardedShard.text(connection, APPLICATION);
            assertThat(before).contains("trigger own on table note", "constraint note_pkey", "view seen", "policy own");
            Jdbc.run(connection, "DROP SCHEMA homeshard CASCADE");
            assertThat(GuardedShard.text(connection, APPLICATION)).isEqualTo(before);
        }
        assertThat(shard.number("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'zz%' OR tgname LIKE '%homeshard%'"))
                .isZero();
        assertThat(shard.notes(mine)).isEqualTo(1);
        writesGoAsWithoutGuard();
    }

    @Test
    void refusedWhileATenantIsFrozenOrIncoming() throws SQLException {
        MoverToken frozen = shard.frozen(mine);
        shard.incoming(GuardedShard.tenant(), 1);
        shard.incoming(GuardedShard.tenant(), 1);
        refused(remove(), "frozen=1, incoming=2, moved with rows left=0");
        nothingWasTouched();
        fails("HS002", () -> shard.write(mine, 2));
        try (Connection connection = shard.connect()) {
            done(shard.guard.unfreeze(connection, frozen, 1));
        }
        refused(remove(), "frozen=0, incoming=2");
    }

    @Test
    void refusedWhileAMovedTenantHasRowsLeft() throws SQLException {
        shard.sql("INSERT INTO ev VALUES ('" + mine + "', 2, 1)");
        MoverToken moved = shard.moved(mine);
        shard.moved(shard.owned());
        refused(remove(), "moved with rows left=1, for one in ");
        nothingWasTouched();
        try (Connection connection = shard.connect()) {
            for (String table : List.of("public.note", "public.ev")) {
                refused(remove(), "moved with rows left=1");
                assertThat(shard.guard.sweep(connection, moved, TableName.parse(table), 9))
                        .isEqualTo(1);
            }
        }
        done(remove());
    }

    @Test
    void stoppedHalfWayItRefusesToFreezeAndGoesOnLater() throws SQLException {
        stopHalfWay();
        done(remove());
        assertThat(shard.number(OURS)).isZero();
        alreadyDone(remove());
    }

    @Test
    void stoppedHalfWayAnInstallBringsAllBack() throws SQLException {
        stopHalfWay();
        shard.install(NOTES);
        nothingWasTouched();
        fails("HS001", () -> shard.sql("INSERT INTO \"a\"\"b.c\" VALUES ('nobody')"));
        fails("HS002", () -> {
            shard.frozen(mine);
            shard.write(mine, 2);
        });
    }

    private void stopHalfWay() throws SQLException {
        try (Connection reader = shard.connect()) {
            reader.setAutoCommit(false);
            Jdbc.run(reader, "SELECT FROM note");
            WriteGuard impatient = new SqlWriteGuard(new Clocking(pause -> {}));
            SQLException failure =
                    catchThrowableOfType(SQLException.class, () -> remove(impatient, Duration.ofMillis(1)));
            assertThat(failure.getSQLState()).isEqualTo("55P03");
            assertThat(failure.getMessage()).contains("public.note", "tries=40", "end long transactions");
        }
        shard.sql("INSERT INTO \"a\"\"b.c\" VALUES ('nobody')", "DELETE FROM \"a\"\"b.c\"");
        fails("HS001", () -> shard.sql("INSERT INTO note VALUES ('nobody', 1)"));
        assertThat(shard.gaps()).isNotEmpty();
        freezeIsRefused();
    }

    @Test
    void aFreezeThatHasSeenTheGuardWholeIsWaitedFor() throws Exception {
        try (Connection writer = shard.connect();
                FreezeUnderWay freeze = new FreezeUnderWay(shard, mine)) {
            writer.setAutoCommit(false);
            GuardedShard.write(writer, mine, 2);
            freeze.begin();
            Clocking clocks = new Clocking(pause -> {
                if (pause == 2) {
                    writer.commit();
                    freeze.end();
                }
            });
            refused(remove(new SqlWriteGuard(clocks), SOON), "frozen=1");
            assertThat(clocks.pauses()).isEqualTo(2);
        }
        nothingWasTouched();
        fails("HS002", () -> shard.write(mine, 3));
    }

    @Test
    void anInstallMeanwhileStopsIt() throws SQLException {
        try (Connection reader = shard.connect()) {
            reader.setAutoCommit(false);
            Jdbc.run(reader, "SELECT FROM note");
            WriteGuard slow = new SqlWriteGuard(new Clocking(pause -> {
                if (pause == 1) {
                    shard.install(NOTES);
                }
            }));
            SQLException failure = catchThrowableOfType(SQLException.class, () -> remove(slow, SOON));
            assertThat(failure.getSQLState()).isEqualTo("55000");
            assertThat(failure.getMessage()).contains("installed again").contains("Stop the roll-out");
        }
        nothingWasTouched();
    }

    @Test
    void triggersThatNoRecordKnowsGoToo() throws SQLException {
        shard.sql("DELETE FROM homeshard.guarded");
        done(remove());
        assertThat(shard.number(OURS)).isZero();
    }

    @Test
    void tablesThatWereDroppedLeaveNothingBehind() throws SQLException {
        shard.sql("DROP TABLE note, ev, \"a\"\"b.c\"", "DROP TABLE scrap CASCADE");
        done(remove());
        alreadyDone(remove());
        assertThat(shard.number("SELECT count(*) FROM homeshard.guarded")).isZero();
    }

    @Test
    void aShardThatNeverHadAGuardHasNothingToRemove() throws SQLException {
        try (GuardedShard bare = GuardedShard.empty();
                Connection connection = bare.connect()) {
            bare.incoming(GuardedShard.tenant(), 1);
            alreadyDone(bare.guard.remove(connection, SOON));
        }
    }
}
