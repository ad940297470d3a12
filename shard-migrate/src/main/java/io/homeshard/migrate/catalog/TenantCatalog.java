package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tenant tables of one shard, read from its catalog at one moment. Immutable and thread-safe.
 *
 * @param groups tables that have to be loaded together, parents before the tables that refer to them, else by name
 * @param foreignKeys the foreign keys of these tables, by table and name; keys that are not enforced are left out
 * @param sequences by name
 * @param schema what the tenant and reference tables are made of, except the physical order of columns
 */
public record TenantCatalog(
        List<TableGroup> groups, List<ForeignKey> foreignKeys, List<TableSequence> sequences, SchemaLines schema) {
    /** Keeps its own copies of the lists. */
    public TenantCatalog {
        groups = List.copyOf(groups);
        foreignKeys = List.copyOf(foreignKeys);
        sequences = List.copyOf(sequences);
    }

    /**
     * The tables of all groups.
     *
     * @return parents before the tables that refer to them, else by name; rows are deleted in the reverse order
     */
    public List<TenantTable> tables() {
        return groups.stream().flatMap(group -> group.tables().stream()).toList();
    }

    /**
     * One value of the schema, as {@link SchemaLines#fingerprint} makes it.
     *
     * @return SHA-256 in hexadecimal: equal on two shards exactly when no difference between them is an error
     */
    public String fingerprint() {
        return schema.fingerprint();
    }

    /**
     * Reads the catalog in one snapshot. Which tables are the tenants' is the shard's own declaration, the one that its
     * guard goes by, however the caller's may differ.
     *
     * @param shard a connection in autocommit; it is left so
     * @param own the caller's declaration, for a database that was never told any
     * @return the catalog
     * @throws SQLException as the driver says
     * @throws CatalogException when a declared table or column is absent
     */
    public static TenantCatalog read(Connection shard, TenantSchema own) throws SQLException {
        return PinnedTransaction.read(shard, connection -> {
            boolean told = ShardDeclaration.present(connection);
            TenantSchema schema = told ? ShardDeclaration.read(connection).orElse(own) : own;
            List<TenantTable> tables = told
                    ? CatalogTables.read(connection, schema, ShardDeclaration.tables(connection))
                    : CatalogTables.read(connection, schema);
            Set<TableName> names = new HashSet<>();
            tables.forEach(table -> names.add(table.name()));
            List<ForeignKey> keys = ForeignKeys.read(connection).stream()
                    .filter(key -> names.contains(key.child()))
                    .toList();
            List<TableSequence> sequences = CatalogSequences.read(connection, schema, tables);
            return new TenantCatalog(
                    CopyOrder.groups(tables, keys),
                    keys,
                    sequences,
                    SchemaReading.read(connection, schema, tables, sequences));
        });
    }
}
