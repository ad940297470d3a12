package io.homeshard.claim;

/**
 * What a look at expired claims did.
 *
 * @param confirmed claims whose owner was found
 * @param dropped claims whose owner was not: their values are free again
 * @param left claims that could not be judged, or that changed meanwhile
 */
public record ClaimSweep(int confirmed, int dropped, int left) {}
