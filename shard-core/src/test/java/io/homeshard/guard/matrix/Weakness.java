package io.homeshard.guard.matrix;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** A fault that a guard may have, planted, with the cells that must show it. */
enum Weakness implements Candidate {
    /** A read alone is no fence: the mover does not wait for the writer. */
    NO_LOCK(
            WeakCheck.body("", WeakCheck.READ, WeakCheck.ROW_LOCK, WeakCheck.VERDICT),
            of(WriteKinds.INSERT, Timeline.P1, Timeline.P3)),

    /** One statement has one snapshot, taken before it waits for the lock. */
    LOCK_AND_READ_IN_ONE(
            WeakCheck.body("", WeakCheck.LOCKED_READ, WeakCheck.ROW_LOCK, WeakCheck.VERDICT),
            of(WriteKinds.INSERT, Timeline.P3, Timeline.P3S)),

    /** Does not see what was committed while it waited. */
    STATEMENT_SNAPSHOT(
            WeakCheck.body(WeakCheck.LOCK, WeakCheck.READ, WeakCheck.ROW_LOCK, WeakCheck.VERDICT)
                    .replace("VOLATILE", "STABLE"),
            of(WriteKinds.INSERT, Timeline.P3)),

    /** A fixed snapshot shows the tenant as owned for ever. */
    NO_ROW_LOCK(
            WeakCheck.body(WeakCheck.LOCK, WeakCheck.READ, "", WeakCheck.VERDICT), of(WriteKinds.INSERT, Timeline.P2)),

    /** What the session knows outlives the transaction in which it was true. */
    SESSION_MEMO(
            WeakCheck.body(
                    "IF current_setting('homeshard.ok', true) = t THEN RETURN true; END IF;" + WeakCheck.LOCK,
                    WeakCheck.READ,
                    WeakCheck.MEMO,
                    WeakCheck.VERDICT),
            of(WriteKinds.INSERT, Timeline.P4)),

    NULL_PASSES(
            WeakCheck.body(
                    "IF t IS NULL OR t = '' THEN RETURN true; END IF;" + WeakCheck.LOCK,
                    WeakCheck.READ,
                    WeakCheck.ROW_LOCK,
                    WeakCheck.VERDICT),
            special("null tenant")),

    /** Open by default: only what is known to be frozen is refused. */
    OPEN_BY_DEFAULT(
            WeakCheck.body(
                    WeakCheck.LOCK,
                    WeakCheck.READ,
                    WeakCheck.ROW_LOCK,
                    "IF s = 'frozen' THEN RAISE EXCEPTION 'frozen' USING ERRCODE = 'HS002'; END IF; RETURN true;"),
            of(WriteKinds.INSERT, Timeline.P5, Timeline.P6I, Timeline.P6M)),

    /** Operators are looked up by the search_path of the writer. */
    OPEN_SEARCH_PATH(
            WeakCheck.body(
                    WeakCheck.LOCK, WeakCheck.READ, "IF s = 'owned' THEN RETURN true; END IF;", WeakCheck.VERDICT),
            special("search_path hijack")),

    NEW_TENANT_ONLY("""
            CREATE FUNCTION homeshard.weak() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
            BEGIN
              IF homeshard.passes(NEW.tenant_id) THEN RETURN NULL; END IF;
              PERFORM homeshard.check_tenant(NEW.tenant_id, 'UPDATE');
              RETURN NULL;
            END $f$;
            CREATE OR REPLACE TRIGGER zz_homeshard_guard_u AFTER UPDATE ON shop.note_text
              FOR EACH ROW EXECUTE FUNCTION homeshard.weak()""", of(WriteKinds.named("tenant A to B"), Timeline.P2)),

    /** Whoever may write the first row's tenant may write all others. */
    FIRST_ROW_ONLY("""
            CREATE FUNCTION homeshard.weak() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
            DECLARE t text := (SELECT n.tenant_id FROM hs_new n LIMIT 1); BEGIN
              IF homeshard.passes(t) IS NOT TRUE THEN PERFORM homeshard.check_tenant(t, 'INSERT'); END IF;
              RETURN NULL;
            END $f$;
            CREATE OR REPLACE TRIGGER zz_homeshard_guard_i AFTER INSERT ON shop.bulk_text
              REFERENCING NEW TABLE AS hs_new FOR EACH STATEMENT EXECUTE FUNCTION homeshard.weak()""", of(WriteKinds.named("rows of B, A").inBulk(), Timeline.P2)),

    /** A trigger of the application that fires later changes the tenant. */
    BEFORE_ROW("""
            CREATE FUNCTION homeshard.weak() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
              $f$ BEGIN PERFORM homeshard.check_tenant(NEW.tenant_id, 'INSERT'); RETURN NEW; END $f$;
            CREATE TRIGGER zz_homeshard_weak BEFORE INSERT ON shop.redirect_zzz FOR EACH ROW EXECUTE FUNCTION homeshard.weak();
            ALTER TABLE shop.redirect_zzz DISABLE TRIGGER zz_homeshard_guard_i""", of(WriteKinds.named("user trigger zzz changes tenant"), Timeline.P2)),

    /** The root's triggers do not fire for what is sent to the leaf. */
    OPEN_LEAF(
            "ALTER TABLE shop.part2 DISABLE TRIGGER USER",
            of(WriteKinds.named("partition leaf, other column order"), Timeline.P2)),

    LEAF_TRUNCATE("ALTER TABLE ONLY shop.part1 DISABLE TRIGGER zz_homeshard_guard_t", special("truncate shop.part1")),

    NOT_ALWAYS("ALTER TABLE shop.note_text ENABLE TRIGGER zz_homeshard_guard_i", special("replica role")),

    /** A hand that closes a tenant does not wait for its writers. */
    CLOSING_WITHOUT_LOCK(
            WeakCheck.closing("PERFORM nextval('homeshard.closings');"),
            special("closed by hand under an open writer")),

    /** Passes outlive the freeze. */
    CLOSING_WITHOUT_NUMBER(WeakCheck.number(""), of(WriteKinds.INSERT, Timeline.P4)),

    DELETE_IS_NO_CLOSING("""
            CREATE OR REPLACE TRIGGER homeshard_closing BEFORE UPDATE ON homeshard.ownership FOR EACH ROW
              WHEN (OLD.state = 'owned') EXECUTE FUNCTION homeshard.closing()""", special("deleted by hand, snapshot before")),

    CLOSING_NOT_ALWAYS(
            "ALTER TABLE homeshard.ownership ENABLE TRIGGER homeshard_closing", special("closed by hand as a replica")),

    /** The number of a closing comes back, and old passes with it. */
    NUMBERS_COME_BACK(
            WeakCheck.number(
                    "PERFORM setval('homeshard.closings', 1 + pg_sequence_last_value('homeshard.closings') % 2);"),
            special("pass, frozen again after a thaw")),

    /** Given before it is known that the tenant is owned; an exception takes it back, but a mover gets none. */
    PASS_BEFORE_VERDICT(
            WeakCheck.body(
                    WeakCheck.LOCK,
                    WeakCheck.READ,
                    WeakCheck.ROW_LOCK + WeakCheck.PASS_OF_ANY_STATE,
                    WeakCheck.MOVER + WeakCheck.VERDICT),
            special("mover's write of an incoming tenant leaves no pass")),

    PASS_WITHOUT_TENANT(
            WeakCheck.pass("hashtextextended('', {number})::text"), special("pass of another tenant in the same slot")),

    /** The tenant is named, but what makes the pass genuine is the same for all. */
    PASS_NAMES_TENANT_ONLY(
            WeakCheck.pass("t || hashtextextended('', {number})::text"),
            special("pass of another tenant, copied and renamed")),

    PASS_WITHOUT_NUMBER(WeakCheck.pass("t"), of(WriteKinds.INSERT, Timeline.P4)),

    /** The tenant may close while the transaction writes on. */
    PASS_WITHOUT_LOCK(WeakCheck.passes("{pass}"), warm(WriteKinds.INSERT, Timeline.P1)),

    /** Good when looked at, but no longer when the lock is had. */
    PASS_BEFORE_LOCK(
            WeakCheck.passes("CASE WHEN {pass} THEN"
                    + " pg_advisory_xact_lock_shared(hashtextextended(t, 4711))::text IS NOT NULL END"),
            special("pass, waits for a mover that has not counted yet")),

    /** The second tenant of an update is taken for the first. */
    PASS_OF_NEW_TENANT("""
            CREATE FUNCTION homeshard.weak() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
            BEGIN
              IF homeshard.passes(NEW.tenant_id) THEN RETURN NULL; END IF;
              PERFORM homeshard.check_tenant(NEW.tenant_id, 'UPDATE'), homeshard.check_tenant(OLD.tenant_id, 'UPDATE');
              RETURN NULL;
            END $f$;
            CREATE OR REPLACE TRIGGER zz_homeshard_tree_u AFTER UPDATE ON shop.part
              FOR EACH ROW EXECUTE FUNCTION homeshard.weak()""", special("pass of one, tenant changed from another"));

    private final String sql;
    private final List<Cell> cells;

    Weakness(String sql, List<Cell> cells) {
        this.sql = sql;
        this.cells = cells;
    }

    /** Plants the fault. */
    @Override
    public void apply(Connection owner) throws SQLException {
        try (Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    List<Cell> cells() {
        return cells;
    }

    private static List<Cell> of(WriteKind kind, Timeline... timelines) {
        return Stream.of(timelines)
                .flatMap(timeline -> Stream.of(Level.values()).map(level -> Cell.of(kind, level, timeline)))
                .toList();
    }

    private static List<Cell> warm(WriteKind kind, Timeline... timelines) {
        return of(kind, timelines).stream().map(Cell::warmed).toList();
    }

    private static List<Cell> special(String name) {
        return SpecialCells.all().stream()
                .filter(cell -> cell.courseName().equals(name))
                .toList();
    }
}
