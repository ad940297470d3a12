package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;

/**
 * One of the shards that are looked at.
 *
 * @param shard its name
 * @param connection to it
 * @param schema the declaration
 * @param catalog its tables; without any when they cannot be read
 */
record Side(ShardId shard, Connection connection, TenantSchema schema, TenantCatalog catalog) {}
