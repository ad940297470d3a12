package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadMode;
import java.util.List;

/**
 * What a preflight has found. Immutable and thread-safe.
 *
 * @param findings in the order of the checks
 * @param fingerprint of the source's tables; empty when they cannot be copied at all
 * @param load how the move will load
 * @param tables how much there is to copy, in foreign-key order; empty when nothing can be copied
 * @param freeze how long that may take
 */
public record PreflightResult(
        List<Finding> findings, String fingerprint, LoadMode load, List<TableEstimate> tables, FreezeEstimate freeze) {
    /** Copies the lists. */
    public PreflightResult {
        findings = List.copyOf(findings);
        tables = List.copyOf(tables);
    }

    /**
     * Nothing was looked at.
     *
     * @param findings why
     * @return a result without tables
     */
    public static PreflightResult refused(List<Finding> findings) {
        return new PreflightResult(findings, "", LoadMode.PLAIN, List.of(), FreezeEstimate.NONE);
    }
}
