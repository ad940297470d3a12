package io.homeshard.claim;

/** Looks where a claim's owner should be, usually a row on its tenant's shard. */
@FunctionalInterface
public interface ClaimCheck {
    /**
     * Whether the owner exists, so that its claim is to be confirmed and not dropped. Must be sure: what it throws
     * leaves the claim as it is. Must ask the shard that owns the tenant now, or an old route would look among the rows
     * that a moved tenant has left behind: call {@code homeshard.enter(tenant, generation)} first, in the same
     * transaction, with the generation of the route.
     *
     * @param claim a pending claim whose time has run out
     * @return true when the owner is there
     * @throws Exception when that cannot be told now
     */
    boolean ownerExists(Claim claim) throws Exception;
}
