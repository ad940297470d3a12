package io.homeshard.migrate.move;

import io.homeshard.model.TableName;

/**
 * A table that a move will copy.
 *
 * @param table the table
 * @param rows rows of the tenant, estimated by the planner of PostgreSQL
 * @param bytes their size, estimated
 */
public record PlannedTable(TableName table, long rows, long bytes) {}
