package io.homeshard.examples.quickstart;

/**
 * Moments of the run, in monotonic nanoseconds.
 *
 * @param loadBegun first checkout
 * @param moveBegun the move was asked for
 * @param moveEnded the move was finished
 * @param loadEnded last checkout
 */
record Timeline(long loadBegun, long moveBegun, long moveEnded, long loadEnded) {}
