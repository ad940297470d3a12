package io.homeshard.migrate.catalog;

import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import org.jspecify.annotations.Nullable;

/**
 * One object that the tenants' tables are made of, in a form that can be compared with the same object elsewhere.
 * Immutable.
 *
 * @param kind what it is
 * @param object its name; unique within kind and table
 * @param table the table that it belongs to, or one that uses it; null when none does
 * @param column the column that it is, or one that uses it; null when none does
 * @param text what it is made of, the same for the same object on any shard
 */
public record SchemaLine(
        Kind kind,
        String object,
        @Nullable TableName table,
        @Nullable String column,
        String text) {
    /** Kinds of objects. The name is the first part of the names of findings. */
    public enum Kind {
        /** A table: persistence and what it inherits from. */
        TABLE(true, Severity.ERROR),
        /** How a table is partitioned, if at all; not the partitions, which jobs make at different times. */
        PARTITIONING(true, Severity.ERROR),
        /** Which column says whose row it is. */
        TENANT_COLUMN(true, Severity.ERROR),
        /** A column: type, nullability, default, generation, identity, collation; not its place. */
        COLUMN(true, Severity.ERROR),
        /** A constraint, with its state; NOT NULL is said by the column. */
        CONSTRAINT(true, Severity.ERROR),
        /** An index that backs no constraint. */
        INDEX(true, Severity.ERROR),
        /** A trigger of the application. */
        TRIGGER(true, Severity.ERROR),
        /** Whether such a trigger is enabled. */
        TRIGGER_STATE(true, Severity.WARNING),
        /** Row-level security. */
        POLICY(true, Severity.WARNING),
        /** An enum with its labels in order. */
        ENUM(false, Severity.ERROR),
        /** A domain with its checks. */
        DOMAIN(false, Severity.ERROR),
        /** A composite, range or other type. */
        TYPE(false, Severity.ERROR),
        /** A function or operator that the tables use; the digest of its definition. */
        FUNCTION(false, Severity.ERROR),
        /** A collation. */
        COLLATION(false, Severity.ERROR),
        /** The version of a collation: rows do not depend on it, orders do. */
        COLLATION_VERSION(false, Severity.WARNING),
        /** An extension that provides what the tables use, and its schema. */
        EXTENSION(false, Severity.ERROR),
        /** The version of such an extension. */
        EXTENSION_VERSION(false, Severity.WARNING),
        /** A sequence: type, direction, cycle; not where it stands, nor its step and bounds, which may keep apart. */
        SEQUENCE(false, Severity.ERROR),
        /** A script of the application in the history of Flyway. */
        HISTORY(true, Severity.WARNING);

        private final boolean ofTable;
        private final Severity severity;

        Kind(boolean ofTable, Severity severity) {
            this.ofTable = ofTable;
            this.severity = severity;
        }

        /**
         * What a difference means for a move.
         *
         * @return an error when rows could be refused or changed; such kinds make the fingerprint
         */
        public Severity severity() {
            return severity;
        }

        /**
         * The name of the kind in the names of findings.
         *
         * @return lower case with hyphens
         */
        String label() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What makes it the same object on another shard.
     *
     * @param kind what it is
     * @param table its table, or null when it belongs to none
     * @param object its name
     */
    record Key(Kind kind, @Nullable TableName table, String object) {}

    Key key() {
        return new Key(kind, kind.ofTable ? table : null, object);
    }

    /** In the form that makes the fingerprint: where the object is used does not count. */
    String canonical() {
        return kind + "\t" + (kind.ofTable ? table : "") + "\t" + object + "\t" + text;
    }
}
