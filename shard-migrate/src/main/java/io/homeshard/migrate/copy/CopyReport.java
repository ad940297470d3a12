package io.homeshard.migrate.copy;

import java.util.List;

/**
 * What a copy did. Immutable.
 *
 * @param tables in the order of copying; tables without rows of the tenant are there with 0
 */
public record CopyReport(List<CopiedTable> tables) {
    /** Keeps its own copy of the list. */
    public CopyReport {
        tables = List.copyOf(tables);
    }

    /**
     * Rows of all tables.
     *
     * @return the sum
     */
    public long rows() {
        return tables.stream().mapToLong(CopiedTable::rows).sum();
    }

    /**
     * Bytes of all tables.
     *
     * @return the sum
     */
    public long bytes() {
        return tables.stream().mapToLong(CopiedTable::bytes).sum();
    }
}
