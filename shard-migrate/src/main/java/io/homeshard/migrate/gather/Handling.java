package io.homeshard.migrate.gather;

/** What is to be done with rows that lie on a shard which does not own the tenant. */
public enum Handling {
    /** They are compared and counted; nothing changes. */
    LIST,
    /**
     * Rows whose keys are missing at home are written there; copies of what is at home are deleted; the others are put
     * aside. A row that was deleted at home on purpose comes back by this.
     */
    BRING_HOME,
    /** Copies of what is at home are deleted; all others are put aside. Nothing changes at home. */
    PUT_ASIDE
}
