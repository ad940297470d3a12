package io.homeshard.migrate.preflight;

import io.homeshard.model.TableName;

/**
 * How much of a table is the tenant's. Immutable.
 *
 * @param table the table
 * @param rows rows of the tenant, estimated by the planner of PostgreSQL
 * @param bytes their size, estimated
 */
public record TableEstimate(TableName table, long rows, long bytes) {}
