package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import java.sql.SQLException;
import java.util.List;

/**
 * Keys without the tenant column, for those who write the schema: values of two tenants may be equal as long as they
 * live on different shards, and collide when one moves to the other.
 */
final class UniqueKeys implements SideCheck {
    static final String REMEDY = "put the tenant column into the key, or accept that a move may be undone";

    @Override
    public List<Finding> find(Side side) throws SQLException {
        return KeyRules.withoutTenant(side).stream()
                .map(rule -> new Finding(
                        Severity.WARNING,
                        rule.finding(),
                        side.shard(),
                        rule.table(),
                        null,
                        rule.describe()
                                + " lacks the tenant column, so that rows of two tenants may collide when one moves",
                        REMEDY))
                .toList();
    }
}
