package io.homeshard.tenants;

/** Points between two steps where a process may die; tests stop it there. */
enum ProvisioningStep {
    /** The directory has journaled the intent. */
    BEGUN,
    /** The shard holds the tenant incoming. */
    RESERVED,
    /** The shard carries the marker that nothing is missing. */
    VERIFIED,
    /** The directory says active: from here on the creation is finished, not undone. */
    COMMITTED,
    /** The shard owns the tenant. */
    ACTIVATED,
    /** A repair has taken the operation over in the directory. */
    REPAIR_TAKEN,
    /** It has raised the shard's fence. */
    REPAIR_FENCED,
    /** It has done its work on the shard. */
    REPAIR_SETTLED
}
