package io.homeshard.migrate.move;

import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.TableName;
import java.math.BigDecimal;
import java.util.Map;

/**
 * What a move did with one table.
 *
 * @param table the table
 * @param rows rows copied
 * @param bytes bytes on the wire; 0 when the mover that copied was lost with its journal
 * @param source digest of the source after the freeze
 * @param target digest of the target before the flip
 */
public record TableReport(TableName table, long rows, long bytes, TableDigest source, TableDigest target) {
    /**
     * Sums of the numeric columns as read on the target, for human eyes.
     *
     * @return sum by column
     */
    public Map<String, BigDecimal> sums() {
        return target.sums();
    }
}
