/** Front doors of the module: roll the schema out to every shard, and move tenants between shards. */
@NullMarked
package io.homeshard.migrate;

import org.jspecify.annotations.NullMarked;
