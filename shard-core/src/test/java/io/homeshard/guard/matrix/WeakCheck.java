package io.homeshard.guard.matrix;

/** Parts from which faulty versions of the guard's central check are put together. */
final class WeakCheck {
    static final String LOCK = "PERFORM pg_advisory_xact_lock_shared(hashtextextended(t, 4711));";
    static final String READ = "SELECT o.state INTO s FROM homeshard.ownership o WHERE o.tenant_id = t;";
    static final String LOCKED_READ = """
            SELECT o.state INTO s FROM (SELECT pg_advisory_xact_lock_shared(hashtextextended(t, 4711)) OFFSET 0) l,
              homeshard.ownership o WHERE o.tenant_id = t;""";
    static final String ROW_LOCK = """
            IF s OPERATOR(pg_catalog.=) 'owned' AND current_setting('transaction_isolation') !~ '^read ' THEN
              PERFORM FROM homeshard.ownership o WHERE o.tenant_id = t FOR SHARE;
            END IF;""";
    static final String PASS = "IF s OPERATOR(pg_catalog.=) 'owned' THEN"
            + " PERFORM set_config(homeshard.pass_slot(t), homeshard.pass(t), false); END IF;";
    static final String PASS_OF_ANY_STATE = "PERFORM set_config(homeshard.pass_slot(t), homeshard.pass(t), false);";
    static final String MOVER = "IF homeshard.is_mover(t) THEN RETURN true; END IF;";
    static final String MEMO = "IF s = 'owned' THEN PERFORM set_config('homeshard.ok', t, false); END IF;";
    static final String VERDICT = """
            IF s OPERATOR(pg_catalog.=) 'owned' THEN RETURN true; END IF;
            RAISE EXCEPTION 'refused' USING ERRCODE = CASE WHEN s IN ('frozen', 'incoming') THEN 'HS002'
              WHEN t IS NULL OR t = '' THEN 'HS007' ELSE 'HS001' END;""";

    private static final String CLOSING_NUMBER = "pg_sequence_last_value('homeshard.closings'::regclass)";

    private WeakCheck() {}

    /** What a pass consists of. */
    static String pass(String value) {
        return "CREATE OR REPLACE FUNCTION homeshard.pass(t text) RETURNS text LANGUAGE sql VOLATILE AS $f$ SELECT ("
                + value.replace("{number}", CLOSING_NUMBER)
                + ") COLLATE \"C\" $f$";
    }

    /** When a session needs no check. */
    static String passes(String condition) {
        return "CREATE OR REPLACE FUNCTION homeshard.passes(t text) RETURNS boolean LANGUAGE sql VOLATILE AS $f$ SELECT "
                + condition.replace("{pass}", "current_setting(homeshard.pass_slot(t), true) = homeshard.pass(t)")
                + " $f$";
    }

    /** What a closing does. */
    static String closing(String body) {
        return """
                CREATE OR REPLACE FUNCTION homeshard.closing() RETURNS trigger LANGUAGE plpgsql
                SET search_path = pg_catalog, pg_temp AS $f$ BEGIN
                  %s
                  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                  RETURN NEW;
                END $f$""".formatted(body);
    }

    /** How a closing gets its number, in a freeze as by hand. */
    static String number(String body) {
        return """
                CREATE OR REPLACE FUNCTION homeshard.number_closing() RETURNS void LANGUAGE plpgsql
                SET search_path = pg_catalog, pg_temp AS $f$ BEGIN %s END $f$""".formatted(body);
    }

    /** The whole function. */
    static String body(String lock, String read, String rowLock, String verdict) {
        return """
                CREATE OR REPLACE FUNCTION homeshard.check_tenant(t text, op text) RETURNS boolean
                LANGUAGE plpgsql VOLATILE AS $f$ DECLARE s pg_catalog.text; BEGIN %s %s %s %s END $f$""".formatted(lock, read, rowLock, verdict);
    }
}
