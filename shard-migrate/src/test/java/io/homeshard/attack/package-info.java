/** Attempts to break what Homeshard promises, on real PostgreSQL. */
@NullMarked
package io.homeshard.attack;

import org.jspecify.annotations.NullMarked;
