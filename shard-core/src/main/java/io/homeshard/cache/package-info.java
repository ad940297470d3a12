/** Remembers placements. Decorates the directory and never decides: the guard refuses what a stale entry sends astray. */
@NullMarked
package io.homeshard.cache;

import org.jspecify.annotations.NullMarked;
