package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.model.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the keys of the tenant tables that lack the tenant column. Keys with a random part are left alone. */
final class KeyRules {
    // the operator of a unique key is the equality of its operator class; an index on a root stands for its partitions
    private static final String RULES = Relations.TENANT_TABLES + """
            SELECT tab.s, tab.t, k.relname, x.conname IS NOT NULL AS exclusion, i.indnullsnotdistinct,
                   pg_get_expr(i.indpred, i.indrelid) AS predicate, a.attname,
                   pg_get_indexdef(i.indexrelid, p.n, true) AS expression,
                   coalesce(format_type(a.atttypid, NULL), format_type(ka.atttypid, NULL)) AS type,
                   os.nspname AS operator_schema, o.oprname,
                   x.conname IS NULL OR EXISTS (
                     SELECT FROM pg_amop e JOIN pg_am m ON m.oid = e.amopmethod
                      WHERE e.amopopr = o.oid AND (m.amname, e.amopstrategy) IN (('btree', 3), ('hash', 1))) AS equality
              FROM tab JOIN pg_index i ON i.indrelid = tab.oid
              JOIN pg_class k ON k.oid = i.indexrelid
              LEFT JOIN pg_constraint x ON x.conindid = i.indexrelid AND x.conrelid = tab.oid
                    AND x.conexclop IS NOT NULL
              CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) p (n)
              JOIN pg_attribute ka ON ka.attrelid = i.indexrelid AND ka.attnum = p.n
              LEFT JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attnum = i.indkey[p.n - 1] AND a.attnum > 0
              JOIN pg_opclass c ON c.oid = i.indclass[p.n - 1]
              LEFT JOIN pg_amop q ON q.amopfamily = c.opcfamily AND q.amoplefttype = c.opcintype
                    AND q.amoprighttype = c.opcintype AND q.amopstrategy = 3 AND x.conname IS NULL
              JOIN pg_operator o ON o.oid = coalesce(x.conexclop[p.n], q.amopopr)
              JOIN pg_namespace os ON os.oid = o.oprnamespace
             WHERE i.indisunique OR i.indisexclusion
             ORDER BY tab.s COLLATE "C", tab.t COLLATE "C", k.relname COLLATE "C", p.n
            """;

    private KeyRules() {}

    private record Row(KeyRule rule, KeyRule.Part part) {}

    static List<KeyRule> withoutTenant(Side side) throws SQLException {
        Map<TableName, String> tenants = new HashMap<>();
        side.catalog().tables().forEach(table -> tenants.put(table.name(), table.tenantColumn()));
        Map<KeyRule, List<KeyRule.Part>> parts = new LinkedHashMap<>();
        for (Row row : Relations.ask(side, RULES, KeyRules::row)) {
            parts.computeIfAbsent(row.rule(), rule -> new ArrayList<>()).add(row.part());
        }
        return parts.entrySet().stream()
                .map(entry -> with(entry.getKey(), entry.getValue()))
                .filter(rule -> !rule.contains(tenants.getOrDefault(rule.table(), "")) && !rule.random())
                .toList();
    }

    private static KeyRule with(KeyRule rule, List<KeyRule.Part> parts) {
        return new KeyRule(
                rule.table(), rule.name(), rule.exclusion(), rule.nullsEqual(), rule.predicate(), List.copyOf(parts));
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new KeyRule(
                        new TableName(row.getString("s"), row.getString("t")),
                        row.getString("relname"),
                        row.getBoolean("exclusion"),
                        row.getBoolean("indnullsnotdistinct"),
                        row.getString("predicate"),
                        List.of()),
                new KeyRule.Part(
                        row.getString("attname"),
                        row.getString("expression"),
                        row.getString("type"),
                        "OPERATOR(" + Identifiers.quote(row.getString("operator_schema")) + "."
                                + row.getString("oprname") + ")",
                        row.getBoolean("equality")));
    }
}
