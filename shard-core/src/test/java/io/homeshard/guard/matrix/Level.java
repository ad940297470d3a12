package io.homeshard.guard.matrix;

/** Isolation levels of the writer. */
enum Level {
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** Another one. */
    Level next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /** As SQL spells it. */
    String sql() {
        return name().replace('_', ' ');
    }
}
