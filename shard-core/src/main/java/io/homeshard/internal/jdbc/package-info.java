/** Small JDBC tools shared with shard-migrate. Not API. */
@NullMarked
package io.homeshard.internal.jdbc;

import org.jspecify.annotations.NullMarked;
