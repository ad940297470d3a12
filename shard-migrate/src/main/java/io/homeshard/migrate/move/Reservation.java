package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.catalog.TenantCatalog;
import java.sql.Connection;
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
        Connection target = session.target();
        session.require(
                Step.RESERVE,
                "reserve on shard " + session.move().target(),
                () -> session.guard().reserve(target, session.token(), session.nextGeneration()));
        return catalog;
    }
}
