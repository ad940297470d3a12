package io.homeshard.claim;

/** Looks where a claim's owner should be, usually a row on its tenant's shard. */
@FunctionalInterface
public interface ClaimCheck {
    /**
     * Whether the owner exists, so that its claim is to be confirmed and not dropped. Must be sure: what it throws
     * leaves the claim as it is.
     *
     * @param claim a pending claim whose time has run out
     * @return true when the owner is there
     * @throws Exception when that cannot be told now
     */
    boolean ownerExists(Claim claim) throws Exception;
}
