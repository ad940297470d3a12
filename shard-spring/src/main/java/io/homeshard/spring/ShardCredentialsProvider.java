package io.homeshard.spring;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;

/**
 * Says how to log in on a shard. As a bean it takes the place of the logins in {@code homeshard.*} properties, for
 * passwords that come from a vault or are rotated. Implementations are thread-safe and quick.
 */
@FunctionalInterface
public interface ShardCredentialsProvider {
    /**
     * The login for one shard. Asked for every new physical connection.
     *
     * @param shard the shard
     * @return how to log in there
     */
    ShardCredentials credentials(Shard shard);
}
