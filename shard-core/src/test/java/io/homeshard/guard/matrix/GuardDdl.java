package io.homeshard.guard.matrix;

import java.util.Map;
import java.util.TreeMap;

/** Ways to spoil the guard that only its owner, or a superuser, has. */
final class GuardDdl {
    /** The trigger once more, with something else in its definition. */
    private static final String REDEFINE = """
            DO $$
            DECLARE d text := (SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = '%1$s'::regclass AND tgname = '%2$s');
            BEGIN
              EXECUTE 'DROP TRIGGER %2$s ON %1$s';
              EXECUTE regexp_replace(d, '%3$s', '%4$s');
              EXECUTE 'ALTER TABLE ONLY %1$s ENABLE ALWAYS TRIGGER %2$s';
            END $$""";

    /** The function of the trigger, changed in its place. */
    private static final String ALTER_FUNCTION = """
            DO $$
            DECLARE f text := (SELECT tgfoid::regprocedure::text FROM pg_trigger WHERE tgrelid = '%s'::regclass AND tgname = '%s');
            BEGIN
              EXECUTE format('%s', f);
            END $$""";

    private static final String EMPTY_BODY =
            "CREATE OR REPLACE FUNCTION %s RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS ''BEGIN RETURN NULL; END''";

    private static final String OTHER_SCHEMA = """
            CREATE SCHEMA evil;
            DO $$
            DECLARE f text := (SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                                WHERE t.tgrelid = '%1$s'::regclass AND t.tgname = '%2$s');
            BEGIN
              EXECUTE format('CREATE FUNCTION evil.%%I() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''', f);
            END $$;
            """;

    private GuardDdl() {}

    /** Changes of one trigger by what is changed. */
    static Map<String, String> of(String table, String trigger) {
        Map<String, String> changes = new TreeMap<>();
        changes.put(
                "trigger WHEN (false)", redefine(table, trigger, "EXECUTE FUNCTION", "WHEN (false) EXECUTE FUNCTION"));
        changes.put(
                "trigger calls another schema",
                OTHER_SCHEMA.formatted(table, trigger)
                        + redefine(table, trigger, "EXECUTE FUNCTION homeshard\\.", "EXECUTE FUNCTION evil."));
        changes.put("trigger with an argument", redefine(table, trigger, "\\(\\)$", "(''x'')"));
        changes.put("trigger function without body", ALTER_FUNCTION.formatted(table, trigger, EMPTY_BODY));
        changes.put("trigger function with SET", alter(table, trigger, "SET search_path = pg_catalog"));
        String alter = "ALTER TABLE ONLY " + table;
        changes.put("trigger disabled", alter + " DISABLE TRIGGER " + trigger);
        changes.put("triggers disabled", alter + " DISABLE TRIGGER ALL");
        changes.put("trigger ENABLE REPLICA", alter + " ENABLE REPLICA TRIGGER " + trigger);
        changes.put("trigger ENABLE", alter + " ENABLE TRIGGER " + trigger);
        changes.put("trigger renamed", "ALTER TRIGGER " + trigger + " ON " + table + " RENAME TO z");
        changes.put("trigger dropped", "DROP TRIGGER " + trigger + " ON " + table);
        if (trigger.endsWith("_u")) {
            changes.put(
                    "trigger of one column",
                    redefine(
                            table,
                            trigger,
                            "AFTER UPDATE ON (.+?)( REFERENCING .+)? FOR EACH",
                            "AFTER UPDATE OF v ON \\1 FOR EACH"));
        }
        if (!trigger.endsWith("_t")) {
            changes.put("trigger function SECURITY INVOKER", alter(table, trigger, "SECURITY INVOKER"));
        }
        return changes;
    }

    /** Changes of what all triggers call, and of what makes passes worthless. */
    static Map<String, String> core() {
        Map<String, String> changes = new TreeMap<>();
        changes.put("check_tenant says yes", """
                CREATE OR REPLACE FUNCTION homeshard.check_tenant(t text, op text) RETURNS boolean
                LANGUAGE plpgsql VOLATILE AS $f$ BEGIN RETURN true; END $f$""");
        changes.put("check_tenant STABLE", "ALTER FUNCTION homeshard.check_tenant(text, text) STABLE");
        changes.put("check_tenant with SET", "ALTER FUNCTION homeshard.check_tenant(text, text) SET work_mem = '1MB'");
        changes.put("is_mover says yes", """
                CREATE OR REPLACE FUNCTION homeshard.is_mover(t text) RETURNS boolean
                LANGUAGE plpgsql STABLE AS $f$ BEGIN RETURN true; END $f$""");
        changes.put("guard_truncate says yes", """
                CREATE OR REPLACE FUNCTION homeshard.guard_truncate() RETURNS trigger
                LANGUAGE plpgsql AS $f$ BEGIN RETURN NULL; END $f$""");
        changes.put("passes says yes", """
                CREATE OR REPLACE FUNCTION homeshard.passes(t text) RETURNS boolean LANGUAGE sql AS 'SELECT true'""");
        changes.put(
                "closing trigger dropped",
                onOwnership("EXECUTE format('DROP TRIGGER %I ON homeshard.ownership', t.tgname)"));
        changes.put(
                "closing trigger disabled",
                onOwnership("EXECUTE format('ALTER TABLE homeshard.ownership DISABLE TRIGGER %I', t.tgname)"));
        changes.put(
                "closing trigger ENABLE",
                onOwnership("EXECUTE format('ALTER TABLE homeshard.ownership ENABLE TRIGGER %I', t.tgname)"));
        changes.put("closing trigger WHEN (false)", onOwnership("""
                EXECUTE regexp_replace(regexp_replace(pg_get_triggerdef(t.oid), ' WHEN \\(.*\\) EXECUTE', ' EXECUTE'),
                  '^CREATE TRIGGER(.*) EXECUTE FUNCTION', 'CREATE OR REPLACE TRIGGER\\1 WHEN (false) EXECUTE FUNCTION');
                EXECUTE format('ALTER TABLE homeshard.ownership ENABLE ALWAYS TRIGGER %I', t.tgname)"""));
        changes.put("closing function without body", onOwnership("""
                EXECUTE format('CREATE OR REPLACE FUNCTION %s RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN COALESCE(NEW, OLD); END''',
                               t.tgfoid::regprocedure)"""));
        changes.put("closings cached", "ALTER SEQUENCE homeshard.closings CACHE 100");
        changes.put("closings cycle", "ALTER SEQUENCE homeshard.closings CYCLE");
        return changes;
    }

    private static String redefine(String table, String trigger, String pattern, String replacement) {
        return REDEFINE.formatted(table, trigger, pattern, replacement);
    }

    private static String alter(String table, String trigger, String what) {
        return ALTER_FUNCTION.formatted(table, trigger, "ALTER FUNCTION %s " + what);
    }

    private static String onOwnership(String what) {
        return """
                DO $$ DECLARE t record; BEGIN
                  FOR t IN SELECT * FROM pg_trigger WHERE tgrelid = 'homeshard.ownership'::regclass AND NOT tgisinternal LOOP
                    %s;
                  END LOOP;
                END $$""".formatted(what);
    }
}
