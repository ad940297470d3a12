package io.homeshard.claim;

/**
 * Answer to a claim.
 *
 * @param granted whether the asker holds the value, now or from before
 * @param holder who holds it; another owner when not granted
 */
public record ClaimResult(boolean granted, Claim holder) {}
