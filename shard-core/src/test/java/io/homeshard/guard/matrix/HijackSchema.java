package io.homeshard.guard.matrix;

/** A schema whose names shadow those of the system and say what the guard would like to hear. */
final class HijackSchema {
    /**
     * Each of them fails when it runs with other rights than the application's: then the guard would not only be
     * fooled, but lend out its own rights.
     */
    static final String CREATE = """
            CREATE SCHEMA evil AUTHORIZATION app;
            SET ROLE app;
            CREATE FUNCTION evil.spy() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
              IF current_user OPERATOR(pg_catalog.<>) 'app' THEN
                RAISE EXCEPTION 'runs as %', current_user USING ERRCODE = 'HJ001';
              END IF;
              RETURN true;
            END $$;
            CREATE FUNCTION evil.yes(pg_catalog.text, pg_catalog.text) RETURNS boolean LANGUAGE sql AS 'SELECT evil.spy()';
            CREATE FUNCTION evil.yes(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT evil.spy()';
            CREATE FUNCTION evil.yes(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT evil.spy()';
            CREATE OPERATOR evil.=  (LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text, FUNCTION = evil.yes);
            CREATE OPERATOR evil.<> (LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text, FUNCTION = evil.yes);
            CREATE OPERATOR evil.~~ (LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text, FUNCTION = evil.yes);
            CREATE OPERATOR evil.=  (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.yes);
            CREATE OPERATOR evil.>= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.yes);
            CREATE OPERATOR evil.=  (LEFTARG = integer, RIGHTARG = integer, FUNCTION = evil.yes);
            CREATE FUNCTION evil.hashtextextended(pg_catalog.text, bigint) RETURNS bigint LANGUAGE sql AS 'SELECT evil.spy()::integer::bigint';
            CREATE FUNCTION evil.lower(pg_catalog.text) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE FUNCTION evil.current_setting(pg_catalog.text, boolean) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE FUNCTION evil.pg_try_advisory_xact_lock_shared(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT evil.spy()';
            CREATE FUNCTION evil.cat(pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE FUNCTION evil.bits(integer, integer) RETURNS integer LANGUAGE sql AS 'SELECT evil.spy()::integer';
            CREATE OPERATOR evil.|| (LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text, FUNCTION = evil.cat);
            CREATE OPERATOR evil.&  (LEFTARG = integer, RIGHTARG = integer, FUNCTION = evil.bits);
            CREATE FUNCTION evil.to_hex(integer) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE FUNCTION evil.hashtext(pg_catalog.text) RETURNS integer LANGUAGE sql AS 'SELECT evil.spy()::integer';
            CREATE FUNCTION evil.split_part(pg_catalog.text, pg_catalog.text, integer) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE FUNCTION evil.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT evil.spy()';
            CREATE FUNCTION evil.pg_sequence_last_value(pg_catalog.regclass) RETURNS bigint LANGUAGE sql AS 'SELECT evil.spy()::integer::bigint';
            CREATE FUNCTION evil.set_config(pg_catalog.text, pg_catalog.text, boolean) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT evil.spy()::pg_catalog.text';
            CREATE DOMAIN evil.regclass AS pg_catalog.regclass CHECK (evil.spy());
            CREATE DOMAIN evil.text AS pg_catalog.text CHECK (evil.spy());
            CREATE DOMAIN evil.uuid AS pg_catalog.uuid CHECK (evil.spy());
            CREATE DOMAIN evil.int8 AS pg_catalog.int8 CHECK (evil.spy());
            CREATE DOMAIN evil.bool AS pg_catalog.bool CHECK (evil.spy());
            CREATE DOMAIN evil.record AS pg_catalog.text CHECK (evil.spy());
            CREATE DOMAIN evil.name AS pg_catalog.name CHECK (evil.spy());
            RESET ROLE""";

    /** The same with what needs no right at all. */
    static final String CREATE_TEMPORARY = """
            CREATE FUNCTION pg_temp.spy() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
              IF current_user <> 'app' THEN
                RAISE EXCEPTION 'runs as %', current_user USING ERRCODE = 'HJ001';
              END IF;
              RETURN true;
            END $$;
            CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.uuid AS pg_catalog.uuid CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.regclass AS pg_catalog.regclass CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.int8 AS pg_catalog.int8 CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.bool AS pg_catalog.bool CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.name AS pg_catalog.name CHECK (pg_temp.spy());
            CREATE DOMAIN pg_temp.record AS pg_catalog.text CHECK (pg_temp.spy())""";

    private HijackSchema() {}
}
