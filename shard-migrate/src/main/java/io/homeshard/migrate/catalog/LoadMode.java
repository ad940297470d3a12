package io.homeshard.migrate.catalog;

/** How rows are brought in and taken away: with the tables' own checks and triggers, or without. */
public enum LoadMode {
    /**
     * As any session does: foreign keys are checked and triggers fire. Groups are copied in their order and deleted in
     * the reverse; a circle is copied in one transaction, its keys deferred.
     */
    PLAIN,
    /**
     * With {@code SET LOCAL session_replication_role = replica} in each transaction that copies, sweeps or cleans:
     * neither foreign keys nor the application's triggers take notice, so that any order will do and the keys are to be
     * checked afterwards. The guard's own triggers are ENABLE ALWAYS and fire nonetheless.
     */
    REPLICA
}
