package io.homeshard.migrate.move;

import io.homeshard.directory.MoveTerms;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a move will do; the very object that is executed. Immutable and thread-safe.
 *
 * @param move id that the move will have
 * @param tenant the tenant
 * @param source where it lives
 * @param target where it goes
 * @param generation its generation on the source; the target gets one more
 * @param fingerprint of the tables, equal on both shards
 * @param tables the tables in foreign-key order
 * @param findings what the preflight found
 * @param accepted names of the warnings that were accepted
 * @param terms when the tenant may be frozen, and for how long
 * @param load how rows are brought in and taken away
 * @param freeze how long writers will be refused, estimated as {@link io.homeshard.migrate.preflight.FreezeEstimate}
 *     says
 */
public record MovePlan(
        UUID move,
        TenantId tenant,
        ShardId source,
        ShardId target,
        long generation,
        String fingerprint,
        List<PlannedTable> tables,
        List<Finding> findings,
        Set<String> accepted,
        MoveTerms terms,
        LoadMode load,
        Duration freeze) {
    /** Name of the warning that the freeze is expected to take longer than it may. */
    public static final String OVER_BUDGET = "freeze-over-budget";

    /** Copies the collections. */
    public MovePlan {
        tables = List.copyOf(tables);
        findings = List.copyOf(findings);
        accepted = Set.copyOf(accepted);
    }

    /**
     * The same plan with warnings accepted.
     *
     * @param warnings names of findings
     * @return a copy
     * @throws IllegalArgumentException when the plan has no warning of that name
     */
    public MovePlan accepting(String... warnings) {
        Set<String> there = findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::name)
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : warnings) {
            if (!there.contains(name)) {
                throw new IllegalArgumentException(
                        "accepting must name a warning of this plan (" + there + "), was '" + name + "'");
            }
        }
        Set<String> all = new HashSet<>(accepted);
        all.addAll(List.of(warnings));
        return new MovePlan(
                move, tenant, source, target, generation, fingerprint, tables, findings, all, terms, load, freeze);
    }

    /**
     * The same plan within a window, by the directory's clock: outside it the move is not begun, and a freeze that has
     * not come to the flip by its end is thawed and reported.
     *
     * @param notBefore first moment, or null for any
     * @param notAfter end, or null for none
     * @return a copy
     * @throws IllegalArgumentException when the window is empty
     */
    public MovePlan within(@Nullable Instant notBefore, @Nullable Instant notAfter) {
        return with(terms.within(notBefore, notAfter), findings);
    }

    /**
     * The same plan with a longest freeze: one that has not come to the flip by then is thawed and reported. A budget
     * below the estimated freeze is a warning, {@value #OVER_BUDGET}.
     *
     * @param longest longest time from the freeze to the flip, or null for any
     * @return a copy
     * @throws IllegalArgumentException when it is below a millisecond
     */
    public MovePlan freezeBudget(@Nullable Duration longest) {
        List<Finding> found = new ArrayList<>(findings);
        found.removeIf(finding -> finding.name().equals(OVER_BUDGET));
        if (longest != null && freeze.compareTo(longest) > 0) {
            found.add(Finding.warning(
                    OVER_BUDGET,
                    source,
                    "the freeze is expected to take longer than its budget (expected=" + freeze + ", freezeBudget="
                            + longest + ")",
                    "give it more time, or accept that it may be thawed"));
        }
        return with(terms.freezeBudget(longest), found);
    }

    private MovePlan with(MoveTerms changed, List<Finding> found) {
        return new MovePlan(
                move, tenant, source, target, generation, fingerprint, tables, found, accepted, changed, load, freeze);
    }

    /**
     * Whatever keeps this plan from being executed: errors, and warnings not accepted.
     *
     * @return empty when it may run
     */
    public List<Finding> obstacles() {
        return findings.stream()
                .filter(f -> f.severity() == Finding.Severity.ERROR
                        || (f.severity() == Finding.Severity.WARNING && !accepted.contains(f.name())))
                .toList();
    }

    /**
     * Rows to copy, estimated.
     *
     * @return the sum over the tables
     */
    public long rows() {
        return tables.stream().mapToLong(PlannedTable::rows).sum();
    }

    /**
     * Bytes to copy, estimated.
     *
     * @return the sum over the tables
     */
    public long bytes() {
        return tables.stream().mapToLong(PlannedTable::bytes).sum();
    }
}
