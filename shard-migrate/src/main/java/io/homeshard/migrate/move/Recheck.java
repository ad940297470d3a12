package io.homeshard.migrate.move;

import io.homeshard.migrate.verify.TableDifference;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Whether a certificate still stands. Immutable; holds no value of the tenant.
 *
 * @param move the move that it certifies
 * @param at when it was looked at, by the directory's clock
 * @param problems what is wrong, for people; empty when the certificate is genuine and the old rows are as it says
 * @param differences the tables whose old rows are not as certified
 */
public record Recheck(UUID move, Instant at, List<String> problems, List<TableDifference> differences) {
    /** Keeps its own copies of the lists. */
    public Recheck {
        problems = List.copyOf(problems);
        differences = List.copyOf(differences);
    }

    /**
     * Whether all is as certified.
     *
     * @return true when there is no problem
     */
    public boolean ok() {
        return problems.isEmpty();
    }
}
