package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks for what a move would stumble over, before it begins. */
public final class CatalogCheck {
    // a partial or invalid index serves no scan of all rows of a tenant
    private static final String INDEXED = """
            SELECT n.nspname, c.relname, a.attname
              FROM pg_index i
              JOIN pg_class c ON c.oid = i.indrelid
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
             WHERE i.indisvalid AND i.indpred IS NULL AND n.nspname = ANY (?::text[])
            """;

    // Flyway's own table is known by its columns: an application may give it any name
    private static final String TABLES = """
            SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition AND n.nspname = ANY (?::text[])
               AND NOT (SELECT count(*) = 4 FROM pg_attribute a WHERE a.attrelid = c.oid
                           AND a.attname IN ('installed_rank', 'script', 'checksum', 'success'))
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    // O and A fire in a mover's session; the guard's own triggers know the mover
    private static final String TRIGGERS = """
            SELECT n.nspname, c.relname, t.tgname FROM pg_trigger t
              JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled IN ('O', 'A')
               AND (t.tgtype & 4) <> 0 AND t.tgname !~ '^zz_homeshard_'
             ORDER BY 1, 2, 3
            """;

    private final ShardId shard;
    private final TenantSchema schema;
    private final TenantCatalog catalog;
    private final List<Finding> findings = new ArrayList<>();

    private CatalogCheck(ShardId shard, TenantSchema schema, TenantCatalog catalog) {
        this.shard = shard;
        this.schema = schema;
        this.catalog = catalog;
    }

    /**
     * Looks at one shard.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it, in autocommit; left so
     * @param schema the declaration
     * @param catalog what {@link TenantCatalog#read} gave for it
     * @return the findings, by kind and table; empty when all is well
     * @throws SQLException as the driver says
     */
    public static List<Finding> inspect(
            ShardId shard, Connection connection, TenantSchema schema, TenantCatalog catalog) throws SQLException {
        CatalogCheck check = new CatalogCheck(shard, schema, catalog);
        return PinnedTransaction.read(connection, session -> {
            check.indexes(session);
            check.undeclared(session);
            check.triggers(session);
            check.sequences();
            return List.copyOf(check.findings);
        });
    }

    /**
     * Compares a shard's own declaration with the one of this process. A move goes by the shard's; but a process that
     * was not restarted after a roll-out, or a shard that was left out of it, is to be mended first.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it, in autocommit; left so
     * @param schema the declaration of this process
     * @return an error when they differ; empty when equal, or when the shard was never told any
     * @throws SQLException as the driver says
     */
    public static List<Finding> declaration(ShardId shard, Connection connection, TenantSchema schema)
            throws SQLException {
        return PinnedTransaction.read(connection, session -> {
            boolean differs = ShardDeclaration.present(session)
                    && ShardDeclaration.read(session)
                            .filter(told -> !same(told, schema))
                            .isPresent();
            return differs
                    ? List.of(new Finding(
                            Severity.ERROR,
                            "declaration-differs",
                            shard,
                            null,
                            null,
                            "was told another declaration of the tenant tables than this process has",
                            "run the schema roll-out on the shard, or start this process with the present declaration"))
                    : List.of();
        });
    }

    private static boolean same(TenantSchema one, TenantSchema other) {
        return one.tenantColumn().equals(other.tenantColumn())
                && Set.copyOf(one.schemas()).equals(Set.copyOf(other.schemas()))
                && one.tenantTables().equals(other.tenantTables())
                && one.referenceTables().equals(other.referenceTables())
                && one.ignoredTables().equals(other.ignoredTables());
    }

    /**
     * Compares the schemas of two shards.
     *
     * @param source catalog of the source
     * @param target catalog of the target
     * @param targetShard its name, for the findings
     * @return one finding for each object that differs, by table; empty when equal
     */
    public static List<Finding> compare(TenantCatalog source, TenantCatalog target, ShardId targetShard) {
        return SchemaComparison.compare(source.schema(), target.schema(), targetShard);
    }

    private void indexes(Connection connection) throws SQLException {
        record Led(TableName table, String column) {}
        Set<Led> led = new HashSet<>(Jdbc.list(
                connection, INDEXED, row -> new Led(table(row), row.getString(3)), (Object) catalog.tables().stream()
                        .map(table -> table.name().schema())
                        .distinct()
                        .toArray(String[]::new)));
        for (TenantTable table : catalog.tables()) {
            if (!led.contains(new Led(table.name(), table.tenantColumn()))) {
                String remedy = "CREATE INDEX CONCURRENTLY ON " + Identifiers.quote(table.name()) + " ("
                        + Identifiers.quote(table.tenantColumn()) + ")";
                findings.add(new Finding(
                        Severity.WARNING,
                        "no-tenant-index",
                        shard,
                        table.name(),
                        table.tenantColumn(),
                        "no index begins with the tenant column, so that each pass reads the rows of all tenants",
                        remedy));
            }
        }
    }

    private void undeclared(Connection connection) throws SQLException {
        Set<TableName> known = new HashSet<>(schema.referenceTables());
        known.addAll(schema.ignoredTables());
        catalog.tables().forEach(table -> known.add(table.name()));
        Set<TableName> children = new HashSet<>();
        for (ForeignKey edge : ForeignKeys.read(connection)) {
            if (catalog.tables().stream().anyMatch(table -> table.name().equals(edge.parent()))) {
                children.add(edge.child());
            }
        }
        for (TableName table : Jdbc.list(connection, TABLES, CatalogCheck::table, (Object)
                schema.schemas().toArray(String[]::new))) {
            if (!known.contains(table)) {
                findings.add(children.contains(table) ? orphan(table) : unknown(table));
            }
        }
    }

    private Finding orphan(TableName table) {
        return new Finding(
                Severity.ERROR,
                "child-without-tenant",
                shard,
                table,
                null,
                "refers to a tenant table but has no tenant column, so that its rows would stay behind",
                "ALTER TABLE " + Identifiers.quote(table) + " ADD COLUMN " + Identifiers.quote(schema.tenantColumn())
                        + " with the type of the parent's, fill it, and put it into the foreign key");
    }

    private Finding unknown(TableName table) {
        return new Finding(
                Severity.WARNING,
                "undeclared-table",
                shard,
                table,
                null,
                "has no tenant column and is declared as neither reference nor ignored",
                "declare it in the TenantSchema");
    }

    private void triggers(Connection connection) throws SQLException {
        record Fires(TableName table, String trigger) {}
        for (Fires found : Jdbc.list(connection, TRIGGERS, row -> new Fires(table(row), row.getString(3)))) {
            if (catalog.tables().stream().anyMatch(table -> table.name().equals(found.table()))) {
                findings.add(new Finding(
                        Severity.WARNING,
                        "trigger-fires",
                        shard,
                        found.table(),
                        null,
                        "trigger " + found.trigger() + " fires for copied rows as for new ones",
                        "make sure that it changes and notifies nothing then, or ENABLE it as REPLICA for the move"));
            }
        }
    }

    private void sequences() {
        for (TableSequence sequence : catalog.sequences()) {
            if (sequence.cache() > 1) {
                findings.add(new Finding(
                        Severity.NOTE,
                        "sequence-cache",
                        shard,
                        sequence.name(),
                        null,
                        "is a sequence of which sessions cache " + sequence.cache()
                                + " values; values that are cached on the target may lie among those that come",
                        "make the key contain the tenant column, or reconnect the target's sessions after the copy"));
            }
        }
    }

    private static TableName table(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }
}
