package io.homeshard.migrate.catalog;

import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Something that a move would stumble over, found before it begins. Immutable.
 *
 * @param severity what it means for the move
 * @param name fixed name of this kind of finding, by which a warning is accepted
 * @param shard where
 * @param table which table, or null
 * @param column which column, or null
 * @param problem what is wrong
 * @param remedy what to do about it
 */
public record Finding(
        Severity severity,
        String name,
        ShardId shard,
        @Nullable TableName table,
        @Nullable String column,
        String problem,
        String remedy) {
    /** What a finding means for the move. */
    public enum Severity {
        /** Good to know. */
        NOTE,
        /** The move runs only when this is accepted by name. */
        WARNING,
        /** The move would fail or lose something: it does not run. */
        ERROR
    }

    /**
     * Keeps the move from running.
     *
     * @param name fixed name of this kind of finding
     * @param shard where
     * @param problem what is wrong
     * @param remedy what to do about it
     * @return a new finding
     */
    public static Finding error(String name, ShardId shard, String problem, String remedy) {
        return new Finding(Severity.ERROR, name, shard, null, null, problem, remedy);
    }

    /**
     * Has to be accepted.
     *
     * @param name fixed name of this kind of finding
     * @param shard where
     * @param problem what is wrong
     * @param remedy what to do about it
     * @return a new finding
     */
    public static Finding warning(String name, ShardId shard, String problem, String remedy) {
        return new Finding(Severity.WARNING, name, shard, null, null, problem, remedy);
    }

    /**
     * Good to know.
     *
     * @param name fixed name of this kind of finding
     * @param shard where
     * @param problem what is wrong
     * @param remedy what to do about it
     * @return a new finding
     */
    public static Finding note(String name, ShardId shard, String problem, String remedy) {
        return new Finding(Severity.NOTE, name, shard, null, null, problem, remedy);
    }

    /**
     * The same about one table.
     *
     * @param where the table
     * @return a copy
     */
    public Finding in(TableName where) {
        return new Finding(severity, name, shard, where, column, problem, remedy);
    }

    @Override
    public String toString() {
        return severity + " " + name + " - shard " + shard + (table == null ? "" : ", table " + table)
                + (column == null ? "" : ", column " + column) + ": " + problem + " (" + remedy + ")";
    }
}
