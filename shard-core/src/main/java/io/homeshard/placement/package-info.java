/** Chooses the shard of a new tenant. Pure functions without I/O; never asked where an existing tenant lives. */
@NullMarked
package io.homeshard.placement;

import org.jspecify.annotations.NullMarked;
