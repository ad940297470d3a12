/** The guard and the mover's steps against real PostgreSQL. */
@NullMarked
package io.homeshard.guard;

import org.jspecify.annotations.NullMarked;
