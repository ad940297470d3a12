package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Orders tables so that each comes after those it refers to; a table may refer to itself. */
final class CopyOrder {
    private CopyOrder() {}

    static List<TenantTable> sort(List<TenantTable> tables, List<ForeignKeys.Edge> edges) {
        Map<TableName, TenantTable> open = new TreeMap<>();
        tables.forEach(table -> open.put(table.name(), table));
        Map<TableName, Set<TableName>> parents = neighbours(open.keySet(), edges, false);
        Map<TableName, Set<TableName>> children = neighbours(open.keySet(), edges, true);
        TreeSet<TableName> ready = new TreeSet<>(open.keySet());
        ready.removeAll(parents.keySet());
        List<TenantTable> sorted = new ArrayList<>();
        for (TableName next = ready.pollFirst(); next != null; next = ready.pollFirst()) {
            TenantTable table = open.remove(next);
            if (table != null) {
                sorted.add(table);
            }
            for (TableName child : children.getOrDefault(next, Set.of())) {
                Set<TableName> waiting = parents.getOrDefault(child, Set.of());
                waiting.remove(next);
                if (waiting.isEmpty()) {
                    ready.add(child);
                }
            }
        }
        if (!open.isEmpty()) {
            throw new CatalogException("tables " + circle(open.keySet(), children)
                    + " - refer to each other in a circle, so that no order of copying exists; drop one of the foreign"
                    + " keys or declare a table as ignored");
        }
        return sorted;
    }

    private static Map<TableName, Set<TableName>> neighbours(
            Set<TableName> tables, List<ForeignKeys.Edge> edges, boolean down) {
        Map<TableName, Set<TableName>> result = new HashMap<>();
        for (ForeignKeys.Edge edge : edges) {
            boolean counts = tables.contains(edge.child())
                    && tables.contains(edge.parent())
                    && !edge.child().equals(edge.parent());
            if (counts) {
                TableName from = down ? edge.parent() : edge.child();
                TableName to = down ? edge.child() : edge.parent();
                result.computeIfAbsent(from, name -> new HashSet<>()).add(to);
            }
        }
        return result;
    }

    /** What is left over also holds tables below a circle; those that nothing left over depends on are taken away. */
    private static Set<TableName> circle(Set<TableName> left, Map<TableName, Set<TableName>> children) {
        Set<TableName> circle = new TreeSet<>(left);
        boolean shrunk = true;
        while (shrunk) {
            shrunk = circle.removeIf(
                    table -> children.getOrDefault(table, Set.of()).stream().noneMatch(circle::contains));
        }
        return circle;
    }
}
