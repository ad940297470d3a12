/** One bounded HikariCP pool per shard, created on first use. The only place that sees HikariCP. */
@NullMarked
package io.homeshard.pool;

import org.jspecify.annotations.NullMarked;
