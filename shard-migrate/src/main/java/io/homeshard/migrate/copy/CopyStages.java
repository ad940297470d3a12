package io.homeshard.migrate.copy;

import io.homeshard.migrate.catalog.ForeignKey;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TableGroup;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What can be copied at the same time. Where foreign keys are in force, a table waits until those that it refers to are
 * committed; else all go at once.
 */
final class CopyStages {
    private final Map<TableName, TableForm> forms;
    private final Map<TableName, List<RowRange>> ranges;

    CopyStages(Map<TableName, TableForm> forms, Map<TableName, List<RowRange>> ranges) {
        this.forms = forms;
        this.ranges = ranges;
    }

    /** Tables that may be copied in parts: those of a heap of their own whose rows do not wait for rows of the same table. */
    static List<TenantTable> divisible(TenantCatalog catalog, LoadMode mode) {
        List<TenantTable> tables = new ArrayList<>();
        for (TableGroup group : catalog.groups()) {
            if (mode == LoadMode.REPLICA || (!group.circle() && !group.refersToItself())) {
                group.tables().stream().filter(table -> !table.partitioned()).forEach(tables::add);
            }
        }
        return tables;
    }

    /** Stage after stage, each of what may run side by side. */
    List<List<CopyUnit>> of(TenantCatalog catalog, LoadMode mode) {
        Map<TableName, Integer> levels = new HashMap<>();
        List<List<CopyUnit>> stages = new ArrayList<>();
        for (TableGroup group : catalog.groups()) {
            int level = mode == LoadMode.REPLICA ? 0 : level(group, catalog.foreignKeys(), levels);
            group.tables().forEach(table -> levels.put(table.name(), level));
            while (stages.size() <= level) {
                stages.add(new ArrayList<>());
            }
            stages.get(level).addAll(units(group, mode));
        }
        return stages;
    }

    /** Groups come parents first. */
    private static int level(TableGroup group, List<ForeignKey> keys, Map<TableName, Integer> levels) {
        int level = 0;
        for (ForeignKey key : keys) {
            boolean mine =
                    group.tables().stream().anyMatch(table -> table.name().equals(key.child()));
            if (mine) {
                level = Math.max(level, 1 + levels.getOrDefault(key.parent(), -1));
            }
        }
        return level;
    }

    private List<CopyUnit> units(TableGroup group, LoadMode mode) {
        if (mode == LoadMode.PLAIN && group.circle()) {
            return List.of(new CopyUnit(
                    group.tables().stream()
                            .map(table -> part(table, RowRange.ALL))
                            .toList(),
                    true));
        }
        List<CopyUnit> units = new ArrayList<>();
        for (TenantTable table : group.tables()) {
            for (RowRange range : ranges.getOrDefault(table.name(), List.of(RowRange.ALL))) {
                units.add(new CopyUnit(List.of(part(table, range)), false));
            }
        }
        return units;
    }

    private CopyPart part(TenantTable table, RowRange range) {
        TableForm form = forms.get(table.name());
        if (form == null) {
            throw new IllegalStateException("form of table " + table.name() + " must be known: indicates a bug");
        }
        return new CopyPart(table, form, range);
    }
}
