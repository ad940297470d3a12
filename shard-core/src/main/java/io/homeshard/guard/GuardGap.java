package io.homeshard.guard;

/**
 * A hole in the guard.
 *
 * @param table the table, as PostgreSQL prints it
 * @param problem what is missing
 */
public record GuardGap(String table, String problem) {}
