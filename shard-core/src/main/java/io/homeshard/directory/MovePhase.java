package io.homeshard.directory;

/** Phases of a move, as journaled. See {@code docs/move-protocol.md}. */
public enum MovePhase {
    /** Intent is journaled; nothing else exists. */
    PLANNED,
    /** The target may hold an incoming row. */
    RESERVED,
    /** The placement is frozen; the source is about to be. */
    FREEZING,
    /** The source refuses writes. */
    FROZEN,
    /** Rows travel. */
    COPYING,
    /** Both sides were compared and agree; the target carries the marker. */
    VERIFIED,
    /** The directory names the target: the commit point. */
    FLIPPED,
    /** Source moved, target owned. */
    ACTIVATED,
    /** Finished; the old rows wait on the source. */
    RETAINED,
    /** The old rows are going. */
    CLEANING,
    /** Nothing is left of the move but its evidence. */
    DONE,
    /** The directory has said that this move will not happen; it is being undone. */
    ABORTING,
    /** Undone. */
    ABORTED,
    /** A person has sent the tenant back after the flip: the directory names the source again, at a generation of its own. */
    RETURNING;

    /**
     * Whether the flip has not been committed and the move may still be aborted.
     *
     * @return true up to and including {@link #VERIFIED}
     */
    public boolean beforeFlip() {
        return switch (this) {
            case PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED -> true;
            default -> false;
        };
    }

    /**
     * Whether the move counts as finished: the tenant may move again.
     *
     * @return true for RETAINED, CLEANING, DONE and ABORTED
     */
    public boolean finished() {
        return switch (this) {
            case RETAINED, CLEANING, DONE, ABORTED -> true;
            default -> false;
        };
    }
}
