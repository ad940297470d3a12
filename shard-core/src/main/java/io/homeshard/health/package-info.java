/** Is a shard usable now? Known-dead shards refuse at once and are probed until they answer. */
@NullMarked
package io.homeshard.health;

import org.jspecify.annotations.NullMarked;
