package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import java.util.List;

/**
 * What a preflight has found. Immutable and thread-safe.
 *
 * @param findings in the order of the checks
 * @param fingerprint of the source's tables; empty when they cannot be copied at all
 * @param tables how much there is to copy, in foreign-key order; empty when nothing can be copied
 */
public record PreflightResult(List<Finding> findings, String fingerprint, List<TableEstimate> tables) {
    /** Copies the lists. */
    public PreflightResult {
        findings = List.copyOf(findings);
        tables = List.copyOf(tables);
    }
}
