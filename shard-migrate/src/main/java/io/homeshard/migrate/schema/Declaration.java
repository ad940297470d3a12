package io.homeshard.migrate.schema;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.CatalogException;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.preflight.SchemaInspection;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Holds a shard's tables against their declaration. Thread-safe. */
final class Declaration {
    private static final String EXISTS = "SELECT pg_catalog.to_regclass(?) IS NOT NULL";

    private final TenantSchema schema;

    /** Found before, on whatever shard: the tables are the same everywhere, and one word about each is enough. */
    private final Set<Known> known = ConcurrentHashMap.newKeySet();

    Declaration(TenantSchema schema) {
        this.schema = schema;
    }

    private record Known(String name, @Nullable TableName table) {}

    /** Refuses a declaration of tables that are not there: a slip of the pen would leave a table without its meaning. */
    void requireTables(Connection shard, ShardId id) throws SQLException {
        Set<TableName> absent = new TreeSet<>(schema.tenantTables().keySet());
        absent.addAll(schema.referenceTables());
        absent.addAll(schema.ignoredTables());
        absent.addAll(schema.bulkTables());
        for (TableName table : List.copyOf(absent)) {
            if (Jdbc.one(shard, EXISTS, row -> row.getBoolean(1), Identifiers.quote(table))) {
                absent.remove(table);
            }
        }
        if (!absent.isEmpty()) {
            throw new SchemaMismatchException(
                    "shard " + id + " - tables are declared in the TenantSchema and do not exist after the scripts;"
                            + " correct the declaration or the scripts (tables=" + absent + ")",
                    null);
        }
    }

    /** What a move would stumble over, as far as it was not told before. */
    List<Finding> news(Connection shard, ShardId id) throws SQLException {
        List<Finding> found = new ArrayList<>();
        try {
            TenantCatalog catalog = TenantCatalog.read(shard, schema);
            found.addAll(SchemaInspection.inspect(id, shard, schema, catalog));
        } catch (CatalogException e) {
            found.add(new Finding(
                    Severity.ERROR,
                    "not-movable",
                    id,
                    null,
                    null,
                    Objects.requireNonNullElse(e.getMessage(), "catalog cannot be read"),
                    "a move is refused until then"));
        }
        return found.stream()
                .filter(Declaration::concernsTheSchema)
                .filter(finding -> known.add(new Known(finding.name(), finding.table())))
                .toList();
    }

    private static boolean concernsTheSchema(Finding finding) {
        return finding.severity() != Severity.NOTE;
    }
}
