package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The shard is offline, refuses connections, or its pool is exhausted. Only its tenants are concerned. Retry later. */
public final class ShardUnavailableException extends TransientHomeshardException {
    private static final long serialVersionUID = 1L;
    private final transient ShardId shard;

    /**
     * With its cause.
     *
     * @param shard the shard
     * @param message names the shard, what happened, limits and actual use
     * @param cause the cause, or null
     */
    public ShardUnavailableException(ShardId shard, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.shard = shard;
    }

    /**
     * The shard.
     *
     * @return its id
     */
    public ShardId shard() {
        return shard;
    }
}
