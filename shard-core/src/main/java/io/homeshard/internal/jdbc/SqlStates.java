package io.homeshard.internal.jdbc;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SQLStates that Homeshard raises or reacts to. */
public final class SqlStates {
    /** This shard does not own the tenant. */
    public static final String NOT_OWNED = "HS001";
    /** The tenant is frozen here, or incoming. */
    public static final String FROZEN = "HS002";
    /** TRUNCATE of a tenant table. */
    public static final String TRUNCATE = "HS003";
    /** Another mover or epoch has the move. */
    public static final String OTHER_MOVER = "HS004";
    /** Wrong isolation level for a mover function. */
    public static final String WRONG_ISOLATION = "HS005";
    /** The guard is incomplete or disabled. */
    public static final String GUARD_INCOMPLETE = "HS006";
    /** Row without tenant. */
    public static final String NO_TENANT = "HS007";
    /** The generation differs. */
    public static final String OTHER_GENERATION = "HS008";
    /** PostgreSQL: lock_timeout ran out. */
    public static final String LOCK_TIMEOUT = "55P03";
    /** PostgreSQL: serialization failure. */
    public static final String SERIALIZATION_FAILURE = "40001";
    /** PostgreSQL: deadlock. */
    public static final String DEADLOCK = "40P01";
    /** PostgreSQL: write in a read-only transaction (a standby after fail-over). */
    public static final String READ_ONLY = "25006";

    /** PostgreSQL: schema, table, function or column does not exist. */
    private static final Set<String> NO_SCHEMA = Set.of("3F000", "42P01", "42883", "42703");

    private SqlStates() {}

    /**
     * The first SQLState in a chain of causes that starts with a prefix.
     *
     * @param failure any throwable
     * @param prefix a SQLState or its beginning
     * @return the exception that carries it, or null
     */
    public static @Nullable SQLException find(Throwable failure, String prefix) {
        return Causes.find(failure, SQLException.class, sql -> {
            String state = sql.getSQLState();
            return state != null && state.startsWith(prefix);
        });
    }

    /**
     * Whether schema {@code homeshard} is missing, or lacks what this library asks for.
     *
     * @param failure what the driver threw
     * @return true for an undefined schema, table, function or column
     */
    public static boolean schemaMissing(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && NO_SCHEMA.contains(state);
    }

    /**
     * Whether the connection itself is gone.
     *
     * @param failure what the driver threw
     * @return true for class 08, 57P01 to 57P03 and I/O failures
     */
    public static boolean connectionLost(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P0"));
    }
}
