package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows for which a partitioned table of the target has no partition. The bounds of the target's partitions are asked of
 * the rows on the source; where both sides have the same bounds nothing is read.
 */
final class MissingPartitions implements Check {
    // none for a table that has nothing but a default partition: everything goes
    private static final String LEAVES = """
            SELECT n.nspname, c.relname, pn.nspname, pc.relname, pg_get_expr(c.relpartbound, c.oid),
                   pg_get_partition_constraintdef(c.oid)
              FROM pg_partition_tree(?::regclass) p
              JOIN pg_class c ON c.oid = p.relid JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_class pc ON pc.oid = p.parentrelid JOIN pg_namespace pn ON pn.oid = pc.relnamespace
             WHERE p.isleaf AND p.level > 0
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;
    private static final String NAME = """
            SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ?::oid
            """;
    private static final String EXISTS = "SELECT to_regclass(?) IS NOT NULL";

    /** Hash bounds name the partitioned table by its number, which is another on each shard. */
    private static final Pattern HASH = Pattern.compile("satisfies_hash_partition\\('(\\d+)'::oid");

    private record Leaf(
            TableName name,
            TableName parent,
            String bound,
            @Nullable String constraint) {
        String condition() {
            return constraint == null ? "true" : constraint;
        }
    }

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        Set<TableName> there = new HashSet<>();
        scene.target().catalog().tables().stream()
                .filter(TenantTable::partitioned)
                .forEach(table -> there.add(table.name()));
        for (TenantTable table : scene.source().catalog().tables()) {
            if (table.partitioned() && there.contains(table.name())) {
                find(scene, table, findings);
            }
        }
        return findings;
    }

    private static void find(Scene scene, TenantTable table, List<Finding> findings) throws SQLException {
        List<Leaf> here = leaves(scene.source().connection(), table);
        Set<String> accepted = leaves(scene.target().connection(), table).stream()
                .map(Leaf::condition)
                .collect(Collectors.toSet());
        if (accepted.containsAll(here.stream().map(Leaf::condition).collect(Collectors.toSet()))) {
            return;
        }
        Optional<String> refused = refused(scene.source().connection(), accepted);
        if (refused.isEmpty()) {
            return;
        }
        for (Leaf leaf : here) {
            if (holds(scene, table, leaf, refused.get())) {
                findings.add(finding(scene, table, leaf));
            }
        }
    }

    /** The condition that no partition takes a row; empty when it cannot be asked here. */
    private static Optional<String> refused(Connection source, Set<String> accepted) throws SQLException {
        for (String condition : accepted) {
            Matcher matcher = Pattern.compile("'((?:[^']|'')*)'::regclass::oid").matcher(condition);
            while (matcher.find()) {
                if (!Jdbc.one(
                        source,
                        EXISTS,
                        row -> row.getBoolean(1),
                        matcher.group(1).replace("''", "'"))) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(
                accepted.isEmpty()
                        ? "true"
                        : "(" + accepted.stream().sorted().collect(Collectors.joining(") OR (", "(", ")"))
                                + ") IS NOT TRUE");
    }

    private static boolean holds(Scene scene, TenantTable table, Leaf leaf, String refused) throws SQLException {
        return Jdbc.one(
                scene.source().connection(),
                "SELECT EXISTS (SELECT FROM ONLY " + Identifiers.quote(leaf.name()) + " WHERE "
                        + TenantRows.condition(table) + " AND " + refused + ")",
                row -> row.getBoolean(1),
                TenantRows.parameters(scene.tenant()));
    }

    private static List<Leaf> leaves(Connection connection, TenantTable table) throws SQLException {
        List<Leaf> leaves = new ArrayList<>();
        for (Leaf leaf : Jdbc.list(
                connection,
                LEAVES,
                row -> new Leaf(
                        new TableName(row.getString(1), row.getString(2)),
                        new TableName(row.getString(3), row.getString(4)),
                        row.getString(5),
                        row.getString(6)),
                Identifiers.quote(table.name()))) {
            leaves.add(new Leaf(leaf.name(), leaf.parent(), leaf.bound(), portable(connection, leaf.condition())));
        }
        return leaves;
    }

    private static String portable(Connection connection, String condition) throws SQLException {
        Matcher matcher = HASH.matcher(condition);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String name = Jdbc.one(connection, NAME, row -> row.getString(1), matcher.group(1));
            matcher.appendReplacement(
                    result,
                    Matcher.quoteReplacement(
                            "satisfies_hash_partition('" + name.replace("'", "''") + "'::regclass::oid"));
        }
        return matcher.appendTail(result).toString();
    }

    private static Finding finding(Scene scene, TenantTable table, Leaf leaf) {
        return new Finding(
                Severity.ERROR,
                "partition-missing",
                scene.target().shard(),
                table.name(),
                null,
                "has no partition for rows that the source keeps in " + leaf.name(),
                "CREATE TABLE " + Identifiers.quote(leaf.name()) + " PARTITION OF " + Identifiers.quote(leaf.parent())
                        + " " + leaf.bound());
    }
}
