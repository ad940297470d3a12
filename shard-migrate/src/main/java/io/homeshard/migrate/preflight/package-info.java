/** Looks, before anybody has to wait, for everything that could make a move fail or lose something, and says how to mend it. */
@NullMarked
package io.homeshard.migrate.preflight;

import org.jspecify.annotations.NullMarked;
