package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Orders tables so that each comes after those it refers to, by name where the keys leave it open. Tables that refer to
 * each other in a circle come as one group.
 */
final class CopyOrder {
    private final Map<TableName, TenantTable> open = new TreeMap<>();
    private final List<ForeignKey> keys;
    /** Of each table that is open, those that it refers to and that are open too. */
    private final Map<TableName, Set<TableName>> waiting;

    private CopyOrder(List<TenantTable> tables, List<ForeignKey> keys) {
        tables.forEach(table -> open.put(table.name(), table));
        this.keys = keys;
        this.waiting = parents(open.keySet(), key -> true);
    }

    static List<TableGroup> groups(List<TenantTable> tables, List<ForeignKey> keys) {
        CopyOrder order = new CopyOrder(tables, keys);
        List<TableGroup> groups = new ArrayList<>();
        while (!order.open.isEmpty()) {
            groups.add(order.take(order.next()));
        }
        return groups;
    }

    /** The next group: tables that refer to nothing left but each other; one alone before any circle. */
    private Set<TableName> next() {
        for (TableName table : open.keySet()) {
            if (waiting.getOrDefault(table, Set.of()).isEmpty()) {
                return Set.of(table);
            }
        }
        Map<TableName, Set<TableName>> above = new TreeMap<>();
        open.keySet().forEach(table -> above.put(table, above(table, waiting)));
        for (Map.Entry<TableName, Set<TableName>> entry : above.entrySet()) {
            if (entry.getValue().stream()
                    .allMatch(other -> above.getOrDefault(other, Set.of()).contains(entry.getKey()))) {
                return entry.getValue();
            }
        }
        throw new IllegalStateException("some circle has nothing above it, in any order of " + open.keySet());
    }

    private TableGroup take(Set<TableName> names) {
        Map<TableName, Set<TableName>> firm = parents(names, key -> !key.deferrable());
        Set<TableName> left = new TreeSet<>(names);
        List<TenantTable> tables = new ArrayList<>();
        while (!left.isEmpty()) {
            // where not even deferring helps, by name
            TableName next = left.stream()
                    .filter(table -> firm.getOrDefault(table, Set.of()).stream().noneMatch(left::contains))
                    .findFirst()
                    .orElseGet(() -> left.iterator().next());
            left.remove(next);
            TenantTable table = open.remove(next);
            if (table != null) {
                tables.add(table);
            }
        }
        waiting.values().forEach(parents -> parents.removeAll(names));
        return new TableGroup(
                tables,
                keys.stream()
                        .filter(key -> names.contains(key.child()) && names.contains(key.parent()))
                        .toList());
    }

    private Map<TableName, Set<TableName>> parents(Set<TableName> among, Predicate<ForeignKey> counts) {
        Map<TableName, Set<TableName>> result = new TreeMap<>();
        for (ForeignKey key : keys) {
            if (!key.within() && among.contains(key.child()) && among.contains(key.parent()) && counts.test(key)) {
                result.computeIfAbsent(key.child(), name -> new TreeSet<>()).add(key.parent());
            }
        }
        return result;
    }

    /** All tables that one refers to, on whatever way; itself too when it stands in a circle. */
    private static Set<TableName> above(TableName table, Map<TableName, Set<TableName>> parents) {
        Set<TableName> found = new TreeSet<>();
        List<TableName> todo = new ArrayList<>(List.of(table));
        while (!todo.isEmpty()) {
            for (TableName parent : parents.getOrDefault(todo.remove(todo.size() - 1), Set.of())) {
                if (found.add(parent)) {
                    todo.add(parent);
                }
            }
        }
        return found;
    }
}
