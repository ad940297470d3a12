package io.homeshard.migrate.move;

import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.verify.DigestComparison;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import java.sql.SQLException;
import java.util.List;

/**
 * What both shards hold of the tenant, read afresh from both.
 *
 * @param source digests of the source
 * @param target digests of the target
 */
record Comparison(List<TableDigest> source, List<TableDigest> target) {
    /** Reads both sides, every row and every column, and stops the move when they differ. */
    static Comparison require(MoveSession session, TenantCatalog catalog) throws SQLException {
        List<TableDigest> source =
                TenantDigest.read(session.source(), catalog, session.move().tenant());
        session.lease().checkHeld();
        List<TableDigest> target =
                TenantDigest.read(session.target(), catalog, session.move().tenant());
        DigestComparison comparison = DigestComparison.compare(source, target);
        if (!comparison.differences().isEmpty()) {
            throw new MoveStopped("verification failed, the shards hold different rows: " + comparison.differences());
        }
        return new Comparison(source, target);
    }
}
