/** Empties a shard: plans the moves of all its tenants, shows them, and runs them a few at a time. */
@NullMarked
package io.homeshard.migrate.drain;

import org.jspecify.annotations.NullMarked;
