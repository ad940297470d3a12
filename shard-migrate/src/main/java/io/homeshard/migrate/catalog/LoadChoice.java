package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * How a move between two shards loads, and what stands against it. Immutable.
 *
 * @param mode the mode; of use only when no finding is an error
 * @param findings an error for each trigger that would fire and for each circle that cannot be loaded, a note for each
 *     that is kept from it
 */
public record LoadChoice(LoadMode mode, List<Finding> findings) {
    /** Keeps its own copy of the list. */
    public LoadChoice {
        findings = List.copyOf(findings);
    }

    /**
     * Decides. Foreign keys and triggers stay in force unless something has to be kept from firing, or a circle of keys
     * has to be passed, and the role may do so on both shards.
     *
     * @param groups the tables of the source, as {@link TenantCatalog#groups} tells them
     * @param source the source, where rows are deleted in the end
     * @param target the target, where rows come, and go again when the move is undone
     * @return the choice
     */
    public static LoadChoice decide(List<TableGroup> groups, LoadFacts source, LoadFacts target) {
        boolean may = source.mayReplica() && target.mayReplica();
        boolean wanted = groups.stream().anyMatch(TableGroup::circle)
                || !setOff(source, target, LoadMode.PLAIN).isEmpty();
        if (!may || !wanted) {
            return new LoadChoice(LoadMode.PLAIN, findings(groups, source, target, LoadMode.PLAIN));
        }
        List<Finding> findings = findings(groups, source, target, LoadMode.REPLICA);
        // a circle whose keys can be deferred, and a trigger that fires for replayed rows only
        List<Finding> plain = findings(groups, source, target, LoadMode.PLAIN);
        return errors(findings) > 0 && errors(plain) == 0
                ? new LoadChoice(LoadMode.PLAIN, plain)
                : new LoadChoice(LoadMode.REPLICA, findings);
    }

    /**
     * How rows are taken away, where what fires for new rows is no matter.
     *
     * @param groups of the tables
     * @param all of the shard
     * @return the choice; it may hold errors
     */
    public static LoadChoice ofSweep(List<TableGroup> groups, LoadFacts all) {
        List<TableTrigger> deleting =
                all.triggers().stream().filter(TableTrigger::deletes).toList();
        LoadFacts facts = new LoadFacts(all.shard(), all.role(), all.mayReplica(), deleting);
        return decide(groups, facts, facts);
    }

    private static long errors(List<Finding> findings) {
        return findings.stream().filter(f -> f.severity() == Severity.ERROR).count();
    }

    private record SetOff(LoadFacts where, TableTrigger trigger) {}

    private static List<SetOff> setOff(LoadFacts source, LoadFacts target, LoadMode mode) {
        List<SetOff> result = new ArrayList<>();
        add(result, source, trigger -> trigger.deletes() && trigger.firesIn(mode));
        add(result, target, trigger -> trigger.firesIn(mode));
        return result;
    }

    private static void add(List<SetOff> result, LoadFacts where, Predicate<TableTrigger> fires) {
        where.triggers().stream().filter(fires).forEach(trigger -> result.add(new SetOff(where, trigger)));
    }

    private static List<Finding> findings(List<TableGroup> groups, LoadFacts source, LoadFacts target, LoadMode mode) {
        List<Finding> findings = new ArrayList<>();
        List<SetOff> firing = setOff(source, target, mode);
        firing.forEach(one -> findings.add(fires(one, mode, source, target)));
        if (mode == LoadMode.REPLICA) {
            setOff(source, target, LoadMode.PLAIN).stream()
                    .filter(one -> !firing.contains(one))
                    .forEach(one -> findings.add(silenced(one)));
        } else {
            groups.stream()
                    .filter(group -> !group.loadsDeferred())
                    .forEach(group -> findings.add(circle(group, source, target)));
        }
        return findings;
    }

    private static Finding fires(SetOff one, LoadMode mode, LoadFacts source, LoadFacts target) {
        TableTrigger trigger = one.trigger();
        String remedy = trigger.state() == TableTrigger.State.ORIGIN && mode == LoadMode.PLAIN
                ? grant(source, target) + ", or disable the trigger for the move"
                : "disable the trigger for the move: in state " + trigger.state() + " nothing keeps it from firing";
        return new Finding(
                Severity.ERROR,
                "trigger-fires",
                one.where().shard(),
                trigger.table(),
                null,
                "trigger " + trigger.name() + " would fire for rows that are " + events(one, target),
                remedy);
    }

    private static String events(SetOff one, LoadFacts target) {
        boolean there = one.where().equals(target);
        if (there && one.trigger().inserts()) {
            return one.trigger().deletes() ? "copied or swept" : "copied";
        }
        return there ? "swept" : "cleaned away";
    }

    private static Finding silenced(SetOff one) {
        return new Finding(
                Severity.NOTE,
                "trigger-silenced",
                one.where().shard(),
                one.trigger().table(),
                null,
                "trigger " + one.trigger().name() + " does not fire for the rows of the move"
                        + " (session_replication_role=replica)",
                "nothing to do; foreign keys are checked after the copy");
    }

    private static Finding circle(TableGroup group, LoadFacts source, LoadFacts target) {
        List<String> keys = group.keys().stream()
                .filter(key -> !key.deferrable() && !key.within())
                .map(key -> key.child() + "." + key.name())
                .toList();
        return Finding.error(
                        "foreign-key-circle",
                        target.shard(),
                        "tables "
                                + group.tables().stream().map(TenantTable::name).toList()
                                + " refer to each other in a circle by keys that cannot be deferred " + keys,
                        grant(source, target) + ", or ALTER TABLE ... ALTER CONSTRAINT ... DEFERRABLE on both shards")
                .in(group.tables().get(0).name());
    }

    private static String grant(LoadFacts source, LoadFacts target) {
        LoadFacts lacking = source.mayReplica() ? target : source;
        String where = source.mayReplica() == target.mayReplica() ? "both shards" : "shard " + lacking.shard();
        return "GRANT SET ON PARAMETER session_replication_role TO " + Identifiers.quote(lacking.role()) + " on "
                + where;
    }
}
