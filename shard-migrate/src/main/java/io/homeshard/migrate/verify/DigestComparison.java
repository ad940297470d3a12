package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The outcome of comparing the digests of two shards. Immutable.
 *
 * @param differences by table name; empty when both hold the same rows
 */
public record DigestComparison(List<TableDifference> differences) {
    /** Keeps its own copy of the list. */
    public DigestComparison {
        differences = List.copyOf(differences);
    }

    /**
     * Compares table by table; a table that only one side knows is a difference.
     *
     * @param source digests of the source
     * @param target digests of the target
     * @return the outcome
     */
    public static DigestComparison compare(List<TableDigest> source, List<TableDigest> target) {
        Map<TableName, TableDigest> left = byName(source);
        Map<TableName, TableDigest> right = byName(target);
        TreeSet<TableName> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        List<TableDifference> differences = new ArrayList<>();
        for (TableName name : names) {
            TableDigest one = left.get(name);
            TableDigest other = right.get(name);
            if (one == null || other == null) {
                differences.add(new TableDifference(
                        name, "was read on the " + (one == null ? "target" : "source") + " only", List.of()));
            } else if (!one.sameRows(other)) {
                differences.add(new TableDifference(name, describe(one, other), one.differingBuckets(other)));
            }
        }
        return new DigestComparison(differences);
    }

    /**
     * Whether both hold the same rows.
     *
     * @return true when there is no difference
     */
    public boolean equal() {
        return differences.isEmpty();
    }

    private static Map<TableName, TableDigest> byName(List<TableDigest> digests) {
        Map<TableName, TableDigest> map = new TreeMap<>();
        digests.forEach(digest -> map.put(digest.table(), digest));
        return map;
    }

    private static String describe(TableDigest source, TableDigest target) {
        if (!source.columns().keySet().equals(target.columns().keySet())) {
            return "was read by other columns";
        }
        return source.rows() == target.rows()
                ? "contents of rows differ (rows=" + source.rows() + ")"
                : "number of rows differs (source=" + source.rows() + ", target=" + target.rows() + ")";
    }
}
