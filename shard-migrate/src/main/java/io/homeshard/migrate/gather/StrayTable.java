package io.homeshard.migrate.gather;

import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.math.BigDecimal;

/**
 * Rows of a tenant in one table of a shard that does not own it. A row is told by its primary key, or by its whole content
 * where there is none.
 *
 * @param shard where they lie
 * @param table the table
 * @param rows how many
 * @param high sum over the rows of the first 64 bits of each row's hash
 * @param low sum of the next 64 bits
 * @param identical rows that are at home, value for value
 * @param differing rows whose key is at home, with other values
 * @param missing rows whose key is not at home
 * @param broughtHome of those, how many were written there by this call
 * @param putAside how many were put aside by this call
 */
public record StrayTable(
        ShardId shard,
        TableName table,
        long rows,
        BigDecimal high,
        BigDecimal low,
        long identical,
        long differing,
        long missing,
        long broughtHome,
        long putAside) {}
