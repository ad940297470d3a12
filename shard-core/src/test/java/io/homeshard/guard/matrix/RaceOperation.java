package io.homeshard.guard.matrix;

/** What a writer of a race does to rows of the ledger. */
enum RaceOperation {
    INSERT,
    /** Several rows of two tenants in one statement. */
    INSERT_MANY,
    UPDATE,
    /** All rows of its own in one statement. */
    UPDATE_MANY,
    DELETE,
    /** Reads a row of its own for update, then writes it. */
    SELECT_FOR_UPDATE,
    /** Gives a row to another tenant. */
    CHANGE_TENANT,
    /** Adds one to the row that all writers share. */
    COUNT
}
