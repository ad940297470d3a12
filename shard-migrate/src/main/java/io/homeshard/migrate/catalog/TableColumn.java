package io.homeshard.migrate.catalog;

/**
 * A column of a tenant table. Immutable.
 *
 * @param name exact name
 * @param type as {@code format_type} prints it, modifiers included
 * @param generated whether the value is computed; such a column is compared but not copied
 * @param identityAlways whether plain INSERT may not give the value; COPY may
 */
public record TableColumn(String name, String type, boolean generated, boolean identityAlways) {}
