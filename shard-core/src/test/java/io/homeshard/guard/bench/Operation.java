package io.homeshard.guard.bench;

/** What is timed. */
enum Operation {
    INSERT("insert", 80, false),
    UPDATE("update", 80, false),

    /** Of a row that an {@link #INSERT} of the same client left. */
    DELETE("delete", 80, false),

    /** An order, its three lines in one statement, and the tenant's counter. */
    ORDER("order", 80, true),
    ORDER_REPEATABLE_READ("order, repeatable read", 80, true),
    INSERT_100("insert 100 rows", 25, false),

    /** 20 000 rows, of all tenants where there are many. */
    COPY("copy 20 000 rows", 1, false);

    private final String label;
    private final int batch;
    private final boolean transaction;

    Operation(String label, int batch, boolean transaction) {
        this.label = label;
        this.batch = batch;
        this.transaction = transaction;
    }

    /** As in data and tables. */
    String label() {
        return label;
    }

    /** How many make a sample of CPU time. */
    int batch() {
        return batch;
    }

    /** Whether it has more than one statement. */
    boolean transaction() {
        return transaction;
    }

    /** Whether a client with an entry can do it: an entry is for one tenant. */
    boolean possible(Entry entry, int tenants) {
        return this != COPY || entry == Entry.NONE || tenants == 1;
    }
}
