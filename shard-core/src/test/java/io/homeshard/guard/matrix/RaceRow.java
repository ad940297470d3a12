package io.homeshard.guard.matrix;

/**
 * What a writer made of a row.
 *
 * @param tenant whose it is
 * @param value its value
 */
record RaceRow(String tenant, long value) {}
