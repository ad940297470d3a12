package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one shard holds of a tenant in one table. Immutable.
 *
 * @param table the table
 * @param rows number of rows
 * @param high sum over the rows of the first 64 bits of each row's hash
 * @param low sum over the rows of the next 64 bits
 * @param sums sum of each integer or numeric column, for people to look at
 */
public record TableDigest(TableName table, long rows, BigDecimal high, BigDecimal low, Map<String, BigDecimal> sums) {
    /** Keeps its own copy of the map, in the order of names. */
    public TableDigest {
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
    }

    /**
     * Whether both hold the same rows. Sums of columns add nothing to that.
     *
     * @param other the digest of the same table on another shard
     * @return true when number and hashes agree
     */
    public boolean sameRows(TableDigest other) {
        return rows == other.rows && high.compareTo(other.high) == 0 && low.compareTo(other.low) == 0;
    }
}
