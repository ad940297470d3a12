package io.homeshard.migrate.verify;

import java.math.BigDecimal;

/**
 * What a shard answered to a check, as number and hashes of the rows of the answer. Immutable.
 *
 * @param check the check
 * @param rows number of rows
 * @param high sum over the rows of the first 64 bits of each row's hash
 * @param low sum over the rows of the next 64 bits
 */
public record CheckAnswer(MoveCheck check, long rows, BigDecimal high, BigDecimal low) {
    /**
     * Whether two answers are alike.
     *
     * @param other the answer of another shard, or at another time
     * @return true when query, number and hashes agree
     */
    public boolean same(CheckAnswer other) {
        return check.equals(other.check)
                && rows == other.rows
                && high.compareTo(other.high) == 0
                && low.compareTo(other.low) == 0;
    }
}
