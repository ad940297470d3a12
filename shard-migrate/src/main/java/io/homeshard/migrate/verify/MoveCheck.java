package io.homeshard.migrate.verify;

/**
 * A question of the application whose answer must be the same on both shards, before the flip and before the old rows
 * are deleted. Immutable.
 *
 * @param name names it in messages and certificates
 * @param sql a query that reads only; each {@code ?} is bound to the tenant as text
 */
public record MoveCheck(String name, String sql) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is blank, or the query asks nothing about the tenant
     */
    public MoveCheck {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name of a check must not be blank");
        }
        if (!sql.contains("?")) {
            throw new IllegalArgumentException("check " + name + " - its query must have a ? for the tenant");
        }
    }
}
