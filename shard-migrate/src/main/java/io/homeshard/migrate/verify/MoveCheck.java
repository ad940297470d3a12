package io.homeshard.migrate.verify;

/**
 * A question of the application about a tenant. Both shards must answer it alike before the flip, and the source must
 * still answer it so before the old rows are deleted. Immutable.
 *
 * <p>The query is run in a transaction that reads only, with {@code search_path = pg_catalog}: name tables with their
 * schemas. Its answer may have any number of rows and columns; rows are compared without regard to their order. What
 * depends on anything but the tenant's rows, such as {@code now()} or rows of other tenants, will differ.
 *
 * @param name names it in messages and certificates
 * @param sql a query; each {@code ?} is bound to the tenant, with the type that its place asks for. An operator that
 *     contains a question mark is written with two of them
 */
public record MoveCheck(String name, String sql) {
    /**
     * Checks the values. A semicolon at the end is dropped.
     *
     * @throws IllegalArgumentException when one is blank, or the query asks nothing about the tenant
     */
    public MoveCheck {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name of a check must not be blank");
        }
        sql = sql.strip();
        while (sql.endsWith(";")) {
            sql = sql.substring(0, sql.length() - 1).strip();
        }
        if (!sql.contains("?")) {
            throw new IllegalArgumentException("check " + name + " - its query must have a ? for the tenant");
        }
    }
}
