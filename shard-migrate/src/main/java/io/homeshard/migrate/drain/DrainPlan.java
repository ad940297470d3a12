package io.homeshard.migrate.drain;

import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTerms;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a drain will do; the very object that is run. Immutable and thread-safe.
 *
 * @param shard the shard to be emptied
 * @param config how
 * @param moves one plan for each tenant, in byte order of their names
 * @param underWay moves away from the shard that had begun before; a drain goes on with those whose process is gone and
 *     waits for the others
 * @param unplanned tenants for which no move could be planned, with the findings that say why
 * @param accepted names of the warnings that were accepted for all
 * @param terms when each move may freeze its tenant, and for how long
 */
public record DrainPlan(
        ShardId shard,
        DrainConfig config,
        List<MovePlan> moves,
        List<MoveRecord> underWay,
        Map<TenantId, Finding> unplanned,
        Set<String> accepted,
        MoveTerms terms) {
    /** Copies the collections. */
    public DrainPlan {
        moves = List.copyOf(moves);
        underWay = List.copyOf(underWay);
        unplanned = Map.copyOf(unplanned);
        accepted = Set.copyOf(accepted);
    }

    /**
     * The same with warnings accepted in all moves, also in those of tenants that come to the shard meanwhile.
     *
     * @param warnings names of findings
     * @return a copy
     * @throws IllegalArgumentException when no move has a warning of that name
     */
    public DrainPlan accepting(String... warnings) {
        Set<String> all = new HashSet<>(accepted);
        for (String name : warnings) {
            if (moves.stream().noneMatch(move -> warns(move, name))) {
                throw new IllegalArgumentException("accepting must name a warning of a move of this plan, was '" + name
                        + "' of " + Arrays.asList(warnings));
            }
            all.add(name);
        }
        return with(all, terms);
    }

    /**
     * The same within a window: outside it no move is begun.
     *
     * @param notBefore see {@link MovePlan#within}
     * @param notAfter see {@link MovePlan#within}
     * @return a copy
     */
    public DrainPlan within(@Nullable Instant notBefore, @Nullable Instant notAfter) {
        return with(accepted, terms.within(notBefore, notAfter));
    }

    /**
     * The same with a budget for the freeze of each move.
     *
     * @param longest see {@link MovePlan#freezeBudget}
     * @return a copy
     */
    public DrainPlan freezeBudget(@Nullable Duration longest) {
        return with(accepted, terms.freezeBudget(longest));
    }

    /**
     * Whatever keeps this plan from being run.
     *
     * @return for each tenant concerned its errors and the warnings that were not accepted; empty when it may run
     */
    public Map<TenantId, List<Finding>> obstacles() {
        Map<TenantId, List<Finding>> obstacles = new LinkedHashMap<>();
        for (MovePlan move : moves) {
            List<Finding> found = move.obstacles();
            if (!found.isEmpty()) {
                obstacles.put(move.tenant(), found);
            }
        }
        unplanned.forEach((tenant, finding) -> obstacles.put(tenant, List.of(finding)));
        return obstacles;
    }

    /**
     * How many tenants each finding concerns, for people who look at a plan of many moves.
     *
     * @return counts by the finding's name
     */
    public Map<String, Long> findings() {
        Map<String, Long> counts = new TreeMap<>();
        Stream<String> names = Stream.concat(
                moves.stream()
                        .flatMap(move ->
                                move.findings().stream().map(Finding::name).distinct()),
                unplanned.values().stream().map(Finding::name));
        names.forEach(name -> counts.merge(name, 1L, Long::sum));
        return counts;
    }

    /**
     * Where the tenants go.
     *
     * @return count of moves by target
     */
    public Map<ShardId, Long> targets() {
        Map<ShardId, Long> counts = new TreeMap<>();
        moves.forEach(move -> counts.merge(move.target(), 1L, Long::sum));
        return counts;
    }

    /**
     * Rows to copy, estimated.
     *
     * @return the sum over the moves
     */
    public long rows() {
        return moves.stream().mapToLong(MovePlan::rows).sum();
    }

    /**
     * Bytes to copy, estimated.
     *
     * @return the sum over the moves
     */
    public long bytes() {
        return moves.stream().mapToLong(MovePlan::bytes).sum();
    }

    /** A plan made for this drain, with what was accepted and agreed for all. */
    MovePlan agreed(MovePlan move) {
        // the terms first: a budget that is too small is a warning of its own
        MovePlan timed = move.within(terms.notBefore(), terms.notAfter()).freezeBudget(terms.freezeBudget());
        return timed.accepting(
                accepted.stream().filter(name -> warns(timed, name)).toArray(String[]::new));
    }

    private DrainPlan with(Set<String> warnings, MoveTerms agreed) {
        DrainPlan changed = new DrainPlan(shard, config, moves, underWay, unplanned, warnings, agreed);
        List<MovePlan> agreeing = new ArrayList<>();
        moves.forEach(move -> agreeing.add(changed.agreed(move)));
        return new DrainPlan(shard, config, agreeing, underWay, unplanned, warnings, agreed);
    }

    private static boolean warns(MovePlan move, String name) {
        return move.findings().stream()
                .anyMatch(f ->
                        f.severity() == Finding.Severity.WARNING && f.name().equals(name));
    }
}
