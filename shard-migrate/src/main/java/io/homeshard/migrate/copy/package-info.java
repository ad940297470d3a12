/** Streams the rows of one tenant from its old shard to its new one, and brings the sequences there up to date. */
@NullMarked
package io.homeshard.migrate.copy;

import org.jspecify.annotations.NullMarked;
