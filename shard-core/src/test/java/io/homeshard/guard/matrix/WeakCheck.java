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
    static final String MEMO = "IF s = 'owned' THEN PERFORM set_config('homeshard.ok', t, false); END IF;";
    static final String VERDICT = """
            IF s OPERATOR(pg_catalog.=) 'owned' THEN RETURN true; END IF;
            RAISE EXCEPTION 'refused' USING ERRCODE = CASE WHEN s IN ('frozen', 'incoming') THEN 'HS002'
              WHEN t IS NULL THEN 'HS007' ELSE 'HS001' END;""";

    private WeakCheck() {}

    /** The whole function. */
    static String body(String lock, String read, String rowLock, String verdict) {
        return """
                CREATE OR REPLACE FUNCTION homeshard.check_tenant(t text, op text) RETURNS boolean
                LANGUAGE plpgsql VOLATILE AS $f$ DECLARE s pg_catalog.text; BEGIN %s %s %s %s END $f$""".formatted(lock, read, rowLock, verdict);
    }
}
