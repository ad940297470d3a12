package io.homeshard.model;

/** State of a placement in the directory. */
public enum PlacementState {
    /** The tenant is being created; it serves nobody yet. */
    PROVISIONING,
    /** Reads and writes go to the shard. */
    ACTIVE,
    /** Online moves only: the copy is under way, writes are allowed. */
    MOVING,
    /** Reads only. */
    FROZEN,
    /** The tenant is being deleted; it serves nobody any more. */
    DELETING
}
