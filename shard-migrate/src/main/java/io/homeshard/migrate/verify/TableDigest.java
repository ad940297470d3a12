package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one shard holds of a tenant in one table. Immutable.
 *
 * @param table the table
 * @param columns the columns that were read, with their types, in the order of names
 * @param buckets the buckets that have rows, by number
 * @param sums sum of each integer or numeric column, for people to look at
 */
public record TableDigest(
        TableName table, Map<String, String> columns, List<BucketDigest> buckets, Map<String, BigDecimal> sums) {
    /** Keeps its own copies, in order. */
    public TableDigest {
        columns = Collections.unmodifiableMap(new TreeMap<>(columns));
        buckets = List.copyOf(buckets);
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
    }

    /**
     * Number of rows.
     *
     * @return the sum over the buckets
     */
    public long rows() {
        return buckets.stream().mapToLong(BucketDigest::rows).sum();
    }

    /**
     * Sum over the rows of the first 64 bits of each row's hash.
     *
     * @return the sum over the buckets
     */
    public BigDecimal high() {
        return buckets.stream().map(BucketDigest::high).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /**
     * Sum over the rows of the next 64 bits.
     *
     * @return the sum over the buckets
     */
    public BigDecimal low() {
        return buckets.stream().map(BucketDigest::low).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /**
     * Whether both hold the same rows. Neither sums of columns nor buckets add anything to that.
     *
     * @param other the digest of the same table on another shard, or at another time
     * @return true when the columns, the number and the hashes agree
     */
    public boolean sameRows(TableDigest other) {
        return columns.keySet().equals(other.columns.keySet())
                && rows() == other.rows()
                && high().compareTo(other.high()) == 0
                && low().compareTo(other.low()) == 0;
    }

    /**
     * The buckets in which two digests differ.
     *
     * @param other the digest of the same table on another shard, or at another time
     * @return their numbers, ascending
     */
    public List<Integer> differingBuckets(TableDigest other) {
        Map<Integer, BucketDigest> here = byNumber();
        Map<Integer, BucketDigest> there = other.byNumber();
        TreeSet<Integer> numbers = new TreeSet<>(here.keySet());
        numbers.addAll(there.keySet());
        return numbers.stream()
                .filter(number -> {
                    BucketDigest one = here.get(number);
                    BucketDigest two = there.get(number);
                    return one == null || two == null || !one.sameRows(two);
                })
                .toList();
    }

    private Map<Integer, BucketDigest> byNumber() {
        Map<Integer, BucketDigest> map = new TreeMap<>();
        buckets.forEach(bucket -> map.put(bucket.bucket(), bucket));
        return map;
    }
}
