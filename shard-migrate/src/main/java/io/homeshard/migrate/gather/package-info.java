/** Finds rows of a tenant on shards that do not own it, compares them with its home, and brings them there or puts them aside. */
@NullMarked
package io.homeshard.migrate.gather;

import org.jspecify.annotations.NullMarked;
