package io.homeshard.tenants;

/**
 * Compares the two witnesses of who owns a tenant, the directory and the shards, and mends what can be mended without
 * losing an acknowledged row: after a directory that has forgotten transactions (a fail-over to a standby that lags, a
 * crash without synchronous commit, an old backup put back), after a shard was restored, and after steps that a person
 * ordered while a shard was down. Thread-safe; may run while tenants are served, moved and created.
 */
public interface Reconciliation {
    /**
     * Reconciliation over these parts.
     *
     * @param parts the parts
     * @return the reconciliation
     */
    static Reconciliation of(ReconciliationParts parts) {
        return new TwoWitnesses(parts);
    }

    /**
     * Looks at every tenant that the directory or a shard knows. The higher generation found on the shards wins, never
     * the older row of the directory; where the shards contradict each other nothing is mended and the difference is
     * named. Epochs, generations and map version end above the highest that was found anywhere. Tenants that are being
     * moved or created at this moment are left to those who do it. Repeating it is harmless.
     *
     * @param dryRun true to name differences and change nothing
     * @return what was found, and what became of it
     * @throws io.homeshard.model.DirectoryUnavailableException when the directory cannot be reached
     * @throws io.homeshard.model.ShardUnavailableException when a shard that answered at first stopped answering; what
     *     was mended stays mended
     */
    ReconcileReport reconcile(boolean dryRun);

    /**
     * Looks and mends.
     *
     * @return as above
     */
    default ReconcileReport reconcile() {
        return reconcile(false);
    }
}
