package io.homeshard.model;

/** What may happen on a shard. */
public enum ShardStatus {
    /** Serves its tenants and takes new ones. */
    ACTIVE,
    /** Serves its tenants and takes no new ones. */
    DRAINING,
    /** Serves reads only. A rule of the router, not a fence. */
    READONLY,
    /** Serves nobody; requests fail fast. Also the status of a shard whose schema was never rolled out. */
    OFFLINE
}
