package io.homeshard.guard;

/** State of a tenant on one shard. No row means the shard never owned it. */
public enum OwnershipState {
    /** The shard owns the tenant: reads and writes. */
    OWNED,
    /** The shard owns the tenant: reads only. */
    FROZEN,
    /** The shard is about to own the tenant; only its mover may write. */
    INCOMING,
    /** The shard has owned the tenant once; its old rows may still be here, refused by the guard. */
    MOVED
}
