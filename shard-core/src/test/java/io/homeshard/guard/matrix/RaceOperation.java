package io.homeshard.guard.matrix;

import java.util.Locale;

/** What a writer of a race does to one row of the ledger. */
enum RaceOperation {
    INSERT,
    UPDATE,
    DELETE,
    /** Reads a row of its own for update, then writes it. */
    SELECT_FOR_UPDATE,
    /** Adds one to the row that all writers share. */
    COUNT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
