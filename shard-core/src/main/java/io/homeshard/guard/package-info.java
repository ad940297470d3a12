/** Installs the write guard on a shard and talks to it. The shard's SQL lives here. */
@NullMarked
package io.homeshard.guard;

import org.jspecify.annotations.NullMarked;
