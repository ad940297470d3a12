package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares a certificate with the directory's own, its chain, and the old rows. Changes nothing. */
record Rechecking(ThisMover mover, Certificate certificate) {
    private static final String SESSION = "homeshard recheck";

    Recheck run() {
        MoveReport certified = certificate.report();
        List<String> problems = new ArrayList<>(genuine());
        if (!problems.isEmpty()) {
            return result(problems, null);
        }
        MoveRecord move =
                mover.parts().journal().find(certified.move()).orElseThrow(() -> gone("is not in the journal"));
        if (move.phase() != MovePhase.RETAINED || move.superseded()) {
            throw gone(
                    move.superseded()
                            ? "its old rows were taken over by a later move"
                            : "has no old rows to compare with (phase=" + move.phase() + ")");
        }
        if (RetainedRows.emptiedByALaterMove(mover.parts().journal(), move)) {
            throw gone("a later move back was undone and has deleted old rows, there is nothing whole to compare with");
        }
        RetainedRows old = read(move);
        if (!old.differences().isEmpty()) {
            problems.add("old rows are not as certified: " + old.differences());
        }
        if (!old.countedOnly().isEmpty()) {
            problems.add("tables have changed since, so that rows could only be counted: " + old.countedOnly());
        }
        if (!old.answers().isEmpty()) {
            problems.add("checks are answered otherwise now: " + old.answers());
        }
        return result(problems, old);
    }

    private Recheck result(List<String> problems, @Nullable RetainedRows old) {
        return new Recheck(
                certificate.report().move(),
                mover.parts().journal().now(),
                problems,
                old == null ? List.of() : old.differences());
    }

    private List<String> genuine() {
        MoveReport certified = certificate.report();
        try {
            List<Certificate> chain =
                    new Certificates(mover.parts(), mover.steps()).chain(certified.tenant(), certified.move());
            String kept = chain.get(chain.size() - 1).hash();
            return kept.equals(certificate.hash())
                    ? List.of()
                    : List.of("it is not the certificate that the directory keeps of this move (kept=" + kept
                            + ", given=" + certificate.hash() + ")");
        } catch (MoveStopped e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private RetainedRows read(MoveRecord move) {
        Shard source = mover.parts().directory().shard(move.source()).orElseThrow(() -> gone("has lost its source"));
        try (Connection connection = mover.parts().pools().open(source, SESSION)) {
            SessionLimits.apply(connection, mover.parts().config());
            SessionLimits.forManyRows(connection, mover.parts().config());
            requireRetained(connection, move);
            TenantCatalog catalog = TenantCatalog.read(connection, mover.parts().tables());
            return RetainedRows.read(connection, catalog, certificate);
        } catch (SQLException e) {
            throw new MoveException(
                    move.id(),
                    "certificate of move " + move.id() + " - could not be compared with shard " + move.source() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private void requireRetained(Connection connection, MoveRecord move) throws SQLException {
        Optional<Ownership> row = mover.parts().guard().ownership(connection, move.tenant());
        boolean retained = row.isPresent()
                && row.get().state() == OwnershipState.MOVED
                && row.get().generation() == move.generation()
                && move.id().equals(row.get().move());
        if (!retained) {
            throw gone("its source does not hold the tenant as moved by it");
        }
    }

    private MoveException gone(String why) {
        return new MoveException(
                certificate.report().move(), "move " + certificate.report().move() + " - " + why, null);
    }
}
