package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which rows of a partitioned table have a partition to go to. */
public final class Partitions {
    // the condition of a leaf includes those of all that are above it
    private static final String LEAVES = """
            SELECT n.nspname, c.relname, coalesce(pg_get_partition_constraintdef(c.oid), 'true') AS condition,
                   EXISTS (SELECT FROM pg_class r JOIN pg_namespace rn ON rn.oid = r.relnamespace
                            WHERE r.oid = i.inhparent AND r.relname = ? AND rn.nspname = ?) AS below_root
              FROM pg_partition_tree(?::regclass) p
              JOIN pg_class c ON c.oid = p.relid
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_inherits i ON i.inhrelid = c.oid
             WHERE p.isleaf
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;
    private static final Pattern HASH = Pattern.compile("satisfies_hash_partition\\('\\d+'::oid,");

    private Partitions() {}

    /**
     * A partition that holds rows itself.
     *
     * @param name its name
     * @param condition condition over the columns of the partitioned table that the rows in it meet, as SQL text; for
     *     use in a session of any shard where the partitioned table is known by the same name
     */
    public record Leaf(TableName name, String condition) {}

    /**
     * The leaves of a partitioned table.
     *
     * @param connection a connection to the shard, in autocommit or in a pinned transaction
     * @param table the partitioned table; a plain one has none
     * @return by name
     * @throws SQLException as the driver says
     */
    public static List<Leaf> leaves(Connection connection, TenantTable table) throws SQLException {
        if (!table.partitioned()) {
            return List.of();
        }
        TableName root = table.name();
        return PinnedTransaction.within(
                connection,
                session -> Jdbc.list(
                        session, LEAVES, row -> leaf(row, root), root.name(), root.schema(), Identifiers.quote(root)));
    }

    /**
     * The rows that a shard has no partition for. Evaluate the condition where the rows are, against the partitioned
     * table of the same name and columns.
     *
     * @param connection a connection to the shard that is to hold the rows, in autocommit or in a pinned transaction
     * @param table the table there
     * @return condition, as SQL text, of the rows that would be refused; empty for a table that is not partitioned
     * @throws SQLException as the driver says
     */
    public static Optional<String> homeless(Connection connection, TenantTable table) throws SQLException {
        if (!table.partitioned()) {
            return Optional.empty();
        }
        List<String> conditions =
                leaves(connection, table).stream().map(leaf -> "(" + leaf.condition() + ")").toList();
        return Optional.of(
                conditions.isEmpty() ? "true" : "(" + String.join(" OR ", conditions) + ") IS NOT TRUE");
    }

    /** A hash names its table by a number that no other shard knows; below the root the table's name cannot be told. */
    private static Leaf leaf(ResultSet row, TableName root) throws SQLException {
        String condition = row.getString("condition");
        Matcher hash = HASH.matcher(condition);
        if (hash.find()) {
            String name = "'" + Identifiers.quote(root).replace("'", "''") + "'";
            condition = row.getBoolean("below_root")
                    ? hash.replaceAll(Matcher.quoteReplacement(
                            "satisfies_hash_partition(" + name + "::regclass::oid,"))
                    : "true";
        }
        return new Leaf(new TableName(row.getString(1), row.getString(2)), condition);
    }
}
