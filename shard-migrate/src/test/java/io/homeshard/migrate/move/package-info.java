/** Whole moves on real PostgreSQL: what they do, and what is left when they are killed, raced or paused. */
@NullMarked
package io.homeshard.migrate.move;

import org.jspecify.annotations.NullMarked;
