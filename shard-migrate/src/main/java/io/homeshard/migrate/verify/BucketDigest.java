package io.homeshard.migrate.verify;

import java.math.BigDecimal;

/**
 * What one shard holds of a tenant in one bucket of one table. Buckets divide the rows by a hash of their primary key,
 * so that the same row lies in the same bucket on every shard. Immutable.
 *
 * @param bucket number of the bucket, from 0
 * @param rows number of rows
 * @param high sum over the rows of the first 64 bits of each row's hash
 * @param low sum over the rows of the next 64 bits
 */
public record BucketDigest(int bucket, long rows, BigDecimal high, BigDecimal low) {
    /**
     * Whether both hold the same rows.
     *
     * @param other the digest of the same bucket on another shard
     * @return true when number and hashes agree
     */
    public boolean sameRows(BucketDigest other) {
        return rows == other.rows && high.compareTo(other.high) == 0 && low.compareTo(other.low) == 0;
    }
}
