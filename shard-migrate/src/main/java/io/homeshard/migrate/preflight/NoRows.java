package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.SQLException;
import java.util.List;

/** A tenant without a single row is more often a mistake than a tenant: a wrong name, a wrong shard, hidden rows. */
final class NoRows implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        TenantRows rows = new TenantRows(scene.source().connection(), scene.tenant());
        for (TenantTable table : scene.source().catalog().tables()) {
            if (rows.any(table)) {
                return List.of();
            }
        }
        return List.of(Finding.warning(
                "no-rows",
                scene.source().shard(),
                "no tenant table has a row of the tenant",
                "look whether its rows are elsewhere or under another name, or accept that it is empty"));
    }
}
