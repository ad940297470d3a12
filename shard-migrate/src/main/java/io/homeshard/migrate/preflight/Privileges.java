package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TableSequence;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whatever the mover's role may not do and has to, each with the statement that allows it. */
final class Privileges implements Check {
    /** What the table is for: rows come only to the target, and go on both in the end. */
    private static final String SOURCE = "SELECT,DELETE";

    private static final String TARGET = "SELECT,INSERT,DELETE";

    private static final String ROLE = "SELECT quote_ident(current_user)";

    private static final String SCHEMAS = """
            SELECT n.nspname FROM pg_namespace n
             WHERE n.nspname = ANY (?::text[]) AND NOT has_schema_privilege(n.oid, 'USAGE') ORDER BY 1
            """;

    // a table stands for its partitions when rows come and are read, but they are deleted partition by partition
    private static final String TABLES = """
            SELECT n.nspname, c.relname, w.privilege
              FROM unnest(?::text[], ?::text[]) t (s, n)
              JOIN pg_namespace rn ON rn.nspname = t.s
              JOIN pg_class r ON r.relnamespace = rn.oid AND r.relname = t.n
              CROSS JOIN LATERAL (SELECT r.oid UNION SELECT p.relid FROM pg_partition_tree(r.oid) p) x (tab)
              CROSS JOIN unnest(string_to_array(?, ',')) w (privilege)
              JOIN pg_class c ON c.oid = x.tab
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT has_table_privilege(c.oid, w.privilege) AND (c.oid = r.oid OR w.privilege <> 'INSERT')
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", w.privilege DESC
            """;

    private static final String SEQUENCES = """
            SELECT n.nspname, c.relname, quote_ident(pg_get_userbyid(c.relowner))
              FROM unnest(?::text[], ?::text[]) t (s, n)
              JOIN pg_namespace n ON n.nspname = t.s
              JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.n
             WHERE NOT CASE WHEN c.relkind <> 'S' THEN true          -- asked of whatever the planner comes across first
                            WHEN ? THEN pg_has_role(current_user, c.relowner, 'USAGE')
                            ELSE has_sequence_privilege(c.oid, 'SELECT') END
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>(new Asked(scene.source(), false).find());
        findings.addAll(new Asked(scene.target(), true).find());
        return findings;
    }

    private record Lacking(TableName table, String what) {}

    /** One shard. */
    private record Asked(Side side, boolean target) {
        List<Finding> find() throws SQLException {
            Connection connection = side.connection();
            String role = Jdbc.one(connection, ROLE, row -> row.getString(1));
            List<Finding> findings = new ArrayList<>();
            tables(role, findings);
            sequences(role, findings);
            return findings;
        }

        private void tables(String role, List<Finding> findings) throws SQLException {
            List<TableName> tenants =
                    side.catalog().tables().stream().map(table -> table.name()).toList();
            Set<TableName> reference = new TreeSet<>(side.schema().referenceTables());
            Set<String> schemas = new TreeSet<>();
            tenants.forEach(table -> schemas.add(table.schema()));
            reference.forEach(table -> schemas.add(table.schema()));
            side.catalog()
                    .sequences()
                    .forEach(sequence -> schemas.add(sequence.name().schema()));
            Connection connection = side.connection();
            for (String schema :
                    Jdbc.list(connection, SCHEMAS, row -> row.getString(1), (Object) schemas.toArray(String[]::new))) {
                String name = Identifiers.quote(schema);
                findings.add(missing(
                        null,
                        "role " + role + " may not use schema " + name,
                        "GRANT USAGE ON SCHEMA " + name + " TO " + role));
            }
            lacking(tenants, target ? TARGET : SOURCE).forEach(one -> findings.add(onTable(one, role)));
            lacking(List.copyOf(reference), "SELECT").forEach(one -> findings.add(onTable(one, role)));
        }

        private List<Lacking> lacking(List<TableName> tables, String privileges) throws SQLException {
            return Jdbc.list(
                    side.connection(),
                    TABLES,
                    row -> new Lacking(new TableName(row.getString(1), row.getString(2)), row.getString(3)),
                    schemas(tables),
                    names(tables),
                    privileges);
        }

        private void sequences(String role, List<Finding> findings) throws SQLException {
            List<TableName> sequences =
                    side.catalog().sequences().stream().map(TableSequence::name).toList();
            for (Lacking one : Jdbc.list(
                    side.connection(),
                    SEQUENCES,
                    row -> new Lacking(new TableName(row.getString(1), row.getString(2)), row.getString(3)),
                    schemas(sequences),
                    names(sequences),
                    target)) {
                findings.add(
                        target
                                ? missing(
                                        one.table(),
                                        "role " + role + " may not move the sequence on: it belongs to " + one.what(),
                                        "GRANT " + one.what() + " TO " + role)
                                : missing(
                                        one.table(),
                                        "role " + role + " may not SELECT from the sequence",
                                        "GRANT SELECT ON SEQUENCE " + Identifiers.quote(one.table()) + " TO " + role));
            }
        }

        private Finding onTable(Lacking one, String role) {
            return missing(
                    one.table(),
                    "role " + role + " lacks " + one.what(),
                    "GRANT " + one.what() + " ON " + Identifiers.quote(one.table()) + " TO " + role);
        }

        private Finding missing(@Nullable TableName table, String problem, String remedy) {
            return new Finding(Severity.ERROR, "privilege-missing", side.shard(), table, null, problem, remedy);
        }
    }

    private static String[] schemas(List<TableName> tables) {
        return tables.stream().map(TableName::schema).toArray(String[]::new);
    }

    private static String[] names(List<TableName> tables) {
        return tables.stream().map(TableName::name).toArray(String[]::new);
    }
}
