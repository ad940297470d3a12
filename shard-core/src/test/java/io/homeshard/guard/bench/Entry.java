package io.homeshard.guard.bench;

/** What a client sends first in each transaction. Everything but {@link #NONE} makes a transaction of one statement. */
enum Entry {
    /** Nothing: the guard needs nothing. */
    NONE(""),

    /** The guard's strict mode. */
    ENTER("SELECT homeshard.enter(?, 1)"),

    /** The fence that people write by hand. */
    BY_HAND("SELECT state FROM by_hand.ownership WHERE tenant_id = ? FOR SHARE");

    private final String sql;

    Entry(String sql) {
        this.sql = sql;
    }

    /** The statement; its one parameter is the tenant. */
    String sql() {
        return sql;
    }
}
