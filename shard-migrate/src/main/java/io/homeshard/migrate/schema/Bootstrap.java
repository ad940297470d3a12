package io.homeshard.migrate.schema;

import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Makes sure that a database is the shard that the directory means, before anything in it is changed. */
final class Bootstrap {
    private static final String KNOWN = "SELECT pg_catalog.to_regprocedure('homeshard.identity()') IS NOT NULL";

    private final WriteGuard guard;
    private final TenantSchema tables;

    Bootstrap(WriteGuard guard, TenantSchema tables) {
        this.guard = guard;
        this.tables = tables;
    }

    /** Only reads. Refuses another shard's database, and one with tenants' rows that no directory knows. */
    void check(Connection shard, ShardIdentity expected) throws SQLException {
        Optional<ShardIdentity> actual =
                Jdbc.one(shard, KNOWN, row -> row.getBoolean(1)) ? guard.identity(shard) : Optional.empty();
        if (actual.isPresent() && !actual.get().equals(expected)) {
            throw refused(
                    expected,
                    "its database is shard " + actual.get().shard() + " of "
                            + (actual.get().directory().equals(expected.directory()) ? "this" : "another")
                            + " directory"
                            + " (incarnation=" + actual.get().incarnation() + "); correct the address");
        }
        if (actual.isEmpty()) {
            Optional<TableName> filled = ForeignRows.find(shard, tables);
            if (filled.isPresent()) {
                throw refused(
                        expected,
                        "its database has rows in table " + filled.get() + " and was never a shard;"
                                + " a new shard must be empty");
            }
        }
    }

    void identify(Connection shard, ShardIdentity identity) throws SQLException {
        StepResult answer = guard.identify(shard, identity);
        if (!answer.ok()) {
            throw refused(identity, answer.why() + "; correct the address");
        }
    }

    private static ShardIdentityException refused(ShardIdentity expected, String why) {
        return new ShardIdentityException(
                "shard " + expected.shard() + " - " + why + " (expected incarnation=" + expected.incarnation() + ")",
                null);
    }
}
