package io.homeshard.guard;

import java.util.Optional;

/**
 * What a shard says of itself.
 *
 * @param schemaNumber version of its schema {@code homeshard}
 * @param identity who it is, or empty when it was never bootstrapped
 */
public record ShardSelf(int schemaNumber, Optional<ShardIdentity> identity) {}
