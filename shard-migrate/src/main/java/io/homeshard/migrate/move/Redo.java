package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The directory has forgotten a flip that was committed once (a restore, a lossy fail-over), which the source proves by
 * saying {@code moved}. There is no way back: the flip is done again. A target that is not owned yet is compared and
 * marked once more under the new attempt, and what was compared is journaled with the flip: the directory may have
 * forgotten that too.
 */
record Redo(MoveSession session) {
    void run() throws SQLException {
        new Fencing(session).target();
        Optional<Ownership> row =
                session.guard().ownership(session.target(), session.move().tenant());
        Evidence evidence = Evidence.NONE; // rows that were written since cannot be compared any more
        if (row.isPresent() && row.get().state() == OwnershipState.INCOMING) {
            TenantCatalog catalog =
                    TenantCatalog.read(session.source(), session.parts().tables());
            ShardRequirements.requireTables(
                    TenantCatalog.read(session.target(), session.parts().tables()),
                    catalog.fingerprint(),
                    session.move().target());
            // whoever copied is gone: keys are checked in any case, as after a load that did not look at them
            Comparison comparison = session.onManyRows(
                    () -> session.step(Step.COMPARE, () -> Comparison.require(session, catalog, LoadMode.REPLICA)),
                    session.source(),
                    session.target());
            evidence = Evidence.of(comparison, catalog.fingerprint());
            Connection target = session.target();
            session.require(
                    Step.MARK_VERIFIED,
                    "mark verified on shard " + session.move().target(),
                    () -> session.guard().markVerified(target, session.token(), session.nextGeneration()));
        }
        session.lease().checkHeld();
        String detail = evidence.equals(Evidence.NONE) ? "{}" : evidence.toJson();
        session.require(
                Step.REDO_FLIP, "redo flip", () -> session.parts().journal().redoFlip(session.ticket(), detail));
        session.entered(MovePhase.FLIPPED);
        new Aftermath(session).run();
    }
}
