package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.List;

/** Tenant columns whose type takes two spellings for one value: the rows of two tenants might be taken for one's. */
final class TenantTypes implements SideCheck {
    private static final String LOOSE = Relations.TENANT_TABLES + """
            , base(oid, root) AS (
              SELECT y.oid, y.oid FROM pg_type y WHERE y.typtype <> 'd'
              UNION ALL
              SELECT y.oid, b.root FROM pg_type y JOIN base b ON y.typbasetype = b.oid WHERE y.typtype = 'd')
            SELECT tab.s, tab.t, a.attname, format_type(a.atttypid, a.atttypmod),
                   coalesce(NOT l.collisdeterministic, false)
              FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attname = tab.col
              JOIN base b ON b.oid = a.atttypid JOIN pg_type r ON r.oid = b.root
              LEFT JOIN pg_collation l ON l.oid = a.attcollation
             WHERE r.typname IN ('citext', 'bpchar') OR NOT l.collisdeterministic
             ORDER BY tab.s COLLATE "C", tab.t COLLATE "C"
            """;

    @Override
    public List<Finding> find(Side side) throws SQLException {
        return Relations.ask(side, LOOSE, row -> {
            boolean ambiguous = row.getBoolean(5);
            return new Finding(
                    ambiguous ? Severity.ERROR : Severity.WARNING,
                    "tenant-type-loose",
                    side.shard(),
                    new TableName(row.getString(1), row.getString(2)),
                    row.getString(3),
                    "tenant column is of type " + row.getString(4)
                            + (ambiguous ? " with a nondeterministic collation" : "")
                            + ", which takes several spellings for one tenant",
                    ambiguous
                            ? "ALTER COLUMN ... TYPE with a deterministic collation, such as \"C\""
                            : "make it text, or accept that names of tenants are spelled in one way only");
        });
    }
}
