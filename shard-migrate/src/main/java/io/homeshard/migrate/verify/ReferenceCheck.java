package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks of each foreign key whether the rows of a tenant keep it: for rows that were loaded while nobody looked. All
 * other constraints hold whatever way rows come.
 */
public final class ReferenceCheck {
    // read as JSON, since older servers have neither keys on periods nor keys that are not enforced
    private static final String KEYS = """
            SELECT rn.nspname, r.relname, cn.nspname, c.relname, c.relkind = 'p', pn.nspname, p.relname, p.relkind = 'p',
                   k.conname, k.confmatchtype = 'f', coalesce(to_jsonb(k) ->> 'conperiod', 'false') = 'true',
                   ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u(num, at)
                           JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY u.at),
                   ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u(num, at)
                           JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY u.at),
                   ARRAY(SELECT format('OPERATOR(%I.%s)', s.nspname, o.oprname)
                           FROM unnest(k.conpfeqop) WITH ORDINALITY u(op, at)
                           JOIN pg_operator o ON o.oid = u.op JOIN pg_namespace s ON s.oid = o.oprnamespace ORDER BY u.at)
              FROM pg_constraint k
              JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace cn ON cn.oid = c.relnamespace
              JOIN pg_class r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid)
              JOIN pg_namespace rn ON rn.oid = r.relnamespace
              JOIN pg_class p ON p.oid = k.confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
             WHERE k.contype = 'f' AND k.conparentid = 0
               AND coalesce(to_jsonb(k) ->> 'conenforced', 'true') = 'true'
             ORDER BY 1, 2, k.conname
            """;
    private static final String BROKEN = """
            SELECT count(*) FROM %s x WHERE %s AND (%s) AND NOT %s
            """;

    private ReferenceCheck() {}

    private record Key(
            TableName root,
            TableName child,
            String from,
            String parent,
            String name,
            boolean full,
            boolean period,
            List<String> columns,
            List<String> parentColumns,
            List<String> operators) {}

    /**
     * Looks at every foreign key of the tenant tables, to whatever table it leads.
     *
     * @param shard the shard, in autocommit; left so
     * @param catalog the tables
     * @param tenant the tenant
     * @return the keys that are broken; empty when all hold
     * @throws SQLException as the driver says
     */
    public static List<BrokenReferences> broken(Connection shard, TenantCatalog catalog, TenantId tenant)
            throws SQLException {
        return PinnedTransaction.read(shard, connection -> {
            List<BrokenReferences> found = new ArrayList<>();
            List<Key> keys = Jdbc.list(connection, KEYS, ReferenceCheck::key);
            for (TenantTable table : catalog.tables()) {
                for (Key key : keys) {
                    if (key.root().equals(table.name())) {
                        long rows = broken(connection, key, table.tenantColumn(), tenant);
                        if (rows > 0) {
                            found.add(new BrokenReferences(key.child(), key.name(), rows));
                        }
                    }
                }
            }
            return List.copyOf(found);
        });
    }

    private static long broken(Connection connection, Key key, String tenantColumn, TenantId tenant)
            throws SQLException {
        TenantPredicate predicate = TenantPredicate.read(connection, key.child(), tenantColumn);
        // MATCH FULL wants all or none, else one null lets the row pass
        String refers = key.columns().stream()
                .map(column -> "x." + Identifiers.quote(column) + " IS NOT NULL")
                .collect(Collectors.joining(key.full() ? " OR " : " AND "));
        String sql = BROKEN.formatted(key.from(), predicate.sql(), refers, parentExists(key));
        return Jdbc.one(
                connection,
                sql,
                row -> row.getLong(1),
                Collections.nCopies(predicate.parameters(), tenant.value()).toArray());
    }

    private static String parentExists(Key key) {
        int equal = key.period() ? key.columns().size() - 1 : key.columns().size();
        String matches = IntStream.range(0, equal)
                .mapToObj(i -> "p.%s %s x.%s"
                        .formatted(
                                Identifiers.quote(key.parentColumns().get(i)),
                                key.operators().get(i),
                                Identifiers.quote(key.columns().get(i))))
                .collect(Collectors.joining(" AND "));
        return key.period()
                ? "coalesce(x.%s <@ (SELECT range_agg(p.%s) FROM %s p WHERE %s), false)"
                        .formatted(
                                Identifiers.quote(key.columns().get(equal)),
                                Identifiers.quote(key.parentColumns().get(equal)),
                                key.parent(),
                                matches)
                // OFFSET keeps it a look into the parent's unique index for each row: as a join it is planned by
                // statistics,
                // which rows that were just copied do not have, and then compares each row with each
                : "EXISTS (SELECT FROM %s p WHERE %s OFFSET 0)".formatted(key.parent(), matches);
    }

    private static Key key(ResultSet row) throws SQLException {
        TableName child = new TableName(row.getString(3), row.getString(4));
        TableName parent = new TableName(row.getString(6), row.getString(7));
        return new Key(
                new TableName(row.getString(1), row.getString(2)),
                child,
                (row.getBoolean(5) ? "" : "ONLY ") + Identifiers.quote(child),
                (row.getBoolean(8) ? "" : "ONLY ") + Identifiers.quote(parent),
                row.getString(9),
                row.getBoolean(10),
                row.getBoolean(11),
                list(row, 12),
                list(row, 13),
                list(row, 14));
    }

    private static List<String> list(ResultSet row, int column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
