package io.homeshard.guard.matrix;

import java.util.List;
import java.util.stream.Stream;

/** A fault that a guard may have, planted, with the cells that must show it. */
enum Weakness {
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
                    "IF t IS NULL THEN RETURN true; END IF;" + WeakCheck.LOCK,
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
            DECLARE t text; BEGIN
              FOR t IN SELECT DISTINCT n.tenant_id FROM hs_new n LOOP PERFORM homeshard.check_tenant(t, 'UPDATE'); END LOOP;
              RETURN NULL;
            END $f$;
            CREATE OR REPLACE TRIGGER zz_homeshard_guard_u AFTER UPDATE ON shop.note_text
              REFERENCING NEW TABLE AS hs_new FOR EACH STATEMENT EXECUTE FUNCTION homeshard.weak()""", of(WriteKinds.named("tenant A to B"), Timeline.P2)),

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

    LEAF_TRUNCATE("ALTER TABLE ONLY shop.part1 DISABLE TRIGGER zz_homeshard_guard_t", special("truncate leaf")),

    NOT_ALWAYS("ALTER TABLE shop.note_text ENABLE TRIGGER zz_homeshard_guard_i", special("replica role"));

    private final String sql;
    private final List<Cell> cells;

    Weakness(String sql, List<Cell> cells) {
        this.sql = sql;
        this.cells = cells;
    }

    /** Plants the fault. */
    String sql() {
        return sql;
    }

    List<Cell> cells() {
        return cells;
    }

    private static List<Cell> of(WriteKind kind, Timeline... timelines) {
        return Stream.of(timelines)
                .flatMap(timeline -> Stream.of(Level.values()).map(level -> Cell.of(kind, level, timeline)))
                .toList();
    }

    private static List<Cell> special(String name) {
        return SpecialCells.all().stream()
                .filter(cell -> cell.courseName().equals(name))
                .toList();
    }
}
