package io.homeshard.migrate.catalog;

import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Something about the tables of a shard that a move would stumble over. Immutable.
 *
 * @param severity what it means for a move
 * @param name fixed name of this kind of finding
 * @param shard where
 * @param table which table, or null
 * @param column which column, or null
 * @param what what is the matter
 * @param remedy what to do about it
 */
public record CatalogFinding(
        Severity severity,
        String name,
        ShardId shard,
        @Nullable TableName table,
        @Nullable String column,
        String what,
        String remedy) {
    /** What a finding means for a move. */
    public enum Severity {
        /** Good to know. */
        NOTE,
        /** Works, but slowly or with a side effect that somebody has to agree to. */
        WARNING,
        /** Would fail, or leave rows behind. */
        ERROR
    }

    @Override
    public String toString() {
        return severity + " " + name + " - shard " + shard + (table == null ? "" : ", table " + table)
                + (column == null ? "" : ", column " + column) + ": " + what + "; " + remedy;
    }
}
