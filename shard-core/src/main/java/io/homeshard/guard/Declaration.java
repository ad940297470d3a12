package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands the declaration to the shard, which resolves it against its own catalog. */
final class Declaration {
    private static final String DECLARE = "SELECT homeshard.declare(?, ?, ?, ?, ?, ?, ?, ?)";

    private final List<String> kinds = new ArrayList<>();
    private final List<String> schemas = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<@Nullable String> columns = new ArrayList<>();

    private Declaration() {}

    static StepResult store(Connection shard, TenantSchema tables) throws SQLException {
        Declaration named = new Declaration();
        tables.tenantTables().forEach((table, column) -> named.add("tenant", table, column));
        tables.referenceTables().forEach(table -> named.add("reference", table, null));
        tables.ignoredTables().forEach(table -> named.add("ignored", table, null));
        List<TableName> bulk = List.copyOf(tables.bulkTables());
        return Jdbc.step(
                shard,
                DECLARE,
                tables.tenantColumn(),
                array(shard, tables.schemas()),
                array(shard, named.kinds),
                array(shard, named.schemas),
                array(shard, named.names),
                array(shard, named.columns),
                array(shard, bulk.stream().map(TableName::schema).toList()),
                array(shard, bulk.stream().map(TableName::name).toList()));
    }

    private void add(String kind, TableName table, @Nullable String column) {
        kinds.add(kind);
        schemas.add(table.schema());
        names.add(table.name());
        columns.add(column);
    }

    private static Array array(Connection shard, List<? extends @Nullable String> values) throws SQLException {
        return shard.createArrayOf("text", values.toArray());
    }
}
