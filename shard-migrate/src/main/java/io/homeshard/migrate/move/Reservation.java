package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.StepResult;
import java.sql.SQLException;

/** The target promises to hold the tenant: an {@code incoming} row, which admits nobody but this mover. */
record Reservation(MoveSession session, String fingerprint) {
    /** Returns the tables to copy, read before anybody has to wait for it. */
    TenantCatalog run() throws SQLException {
        TenantCatalog catalog =
                TenantCatalog.read(session.source(), session.parts().tables());
        ShardRequirements.requireTables(catalog, fingerprint, session.move().source());
        ShardRequirements.requireTables(
                TenantCatalog.read(session.target(), session.parts().tables()),
                fingerprint,
                session.move().target());
        ShardRequirements.requireGuard(
                session.guard(), session.target(), session.move().target());
        if (session.phase() == MovePhase.PLANNED) {
            session.advance(MovePhase.RESERVED, "{}");
        }
        session.lease().check();
        StepResult result = session.guard().reserve(session.target(), session.token(), session.nextGeneration());
        MoveStopped.unlessOk(result, "reserve on shard " + session.move().target());
        session.watcher().after(CrashPoint.Effect.TARGET_RESERVED);
        return catalog;
    }
}
