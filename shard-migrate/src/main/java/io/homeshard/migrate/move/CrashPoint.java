package io.homeshard.migrate.move;

/** Where tests let a mover stop dead: after an effect and before its acknowledgement is used. */
@FunctionalInterface
interface CrashPoint {
    /** Never stops. */
    CrashPoint NONE = effect -> {};

    /** Effects that are not phases. */
    enum Effect {
        TARGET_RESERVED,
        SOURCE_FROZEN,
        TARGET_EMPTIED,
        ROWS_COPIED,
        ROWS_COMPARED,
        TARGET_MARKED,
        BEFORE_FLIP,
        FLIPPED,
        SOURCE_MOVED,
        TARGET_OWNED,
        SOURCE_THAWED,
        TARGET_RELEASED,
        SWEPT_BATCH
    }

    void after(Effect effect);
}
