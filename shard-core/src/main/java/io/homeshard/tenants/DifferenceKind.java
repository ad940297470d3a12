package io.homeshard.tenants;

/** What directory and shards may disagree about. */
public enum DifferenceKind {
    /** Shards have heard of later epochs than the directory has given out: it has forgotten some. */
    EPOCHS_BEHIND,
    /** A shard owns the tenant at a later generation than the directory says, or at the same one elsewhere. */
    DIRECTORY_BEHIND,
    /** A shard owns a tenant that the directory does not know. */
    UNKNOWN_TENANT,
    /** The owner is the one that the directory names, which says that the tenant is not active although no move is. */
    PLACEMENT_NOT_ACTIVE,
    /** A second shard owns the tenant at an earlier generation: it was restored, or has failed over. */
    OUTDATED_OWNER,
    /** Two shards own the tenant at the same generation, as after cloning one. */
    TWO_OWNERS,
    /** The owner's generation is behind what the directory or another shard knows: the owner was restored. */
    OWNER_BEHIND,
    /** Nobody owns the tenant, and the shard that should has no usable record of it. */
    OWNER_MISSING,
    /** Nobody owns the tenant; a move froze it, or took it away, that never came to its end and is over. */
    NO_OWNER,
    /** A shard has the tenant frozen by a move that is over; another owns it. */
    FROZEN_LEFTOVER,
    /** A shard has a reservation, and perhaps copied rows, of a move that is over. */
    INCOMING_LEFTOVER,
    /** Shards remember a tenant that is gone from the directory, at a generation that the directory has forgotten. */
    GENERATION_FORGOTTEN,
    /** A move has stopped on the way; {@code recover()} settles it. */
    MOVE_UNFINISHED
}
