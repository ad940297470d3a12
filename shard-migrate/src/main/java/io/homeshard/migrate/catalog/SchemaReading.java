package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads all lines of a shard: of the tenant tables, the reference tables and what they use. */
final class SchemaReading {
    private SchemaReading() {}

    static SchemaLines read(
            Connection connection, TenantSchema schema, List<TenantTable> tables, List<TableSequence> sequences)
            throws SQLException {
        Set<TableName> names = new TreeSet<>(schema.referenceTables());
        tables.forEach(table -> names.add(table.name()));
        String[] schemas = names.stream().map(TableName::schema).toArray(String[]::new);
        String[] plain = names.stream().map(TableName::name).toArray(String[]::new);
        List<SchemaLine> lines = new ArrayList<>(TableLines.read(connection, schemas, plain));
        lines.addAll(UsedObjectLines.read(connection, schemas, plain));
        lines.addAll(SequenceLines.read(connection, sequences));
        lines.addAll(HistoryLines.read(connection));
        for (TenantTable table : tables) {
            String column = table.tenantColumn();
            lines.add(new SchemaLine(SchemaLine.Kind.TENANT_COLUMN, "tenant", table.name(), column, column));
        }
        return new SchemaLines(lines);
    }

    /** From columns kind, object, s, t, col and text. */
    static SchemaLine line(ResultSet row) throws SQLException {
        String schema = row.getString("s");
        String table = row.getString("t");
        @Nullable TableName name = schema == null || table == null ? null : new TableName(schema, table);
        return new SchemaLine(
                SchemaLine.Kind.valueOf(row.getString("kind")),
                row.getString("object"),
                name,
                row.getString("col"),
                row.getString("text"));
    }
}
