package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveStep;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.verify.DigestComparison;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the old rows on the source, and only what lives elsewhere: first the target itself is asked whether it owns
 * the tenant, then the old rows are compared with what was certified when they were copied, then they go in batches
 * that the shard admits for this move and generation only.
 */
record Cleaning(MoveSession session, List<MoveStep> steps) {
    void run() throws SQLException {
        requireLivesOnTarget();
        requireMovedAway();
        TenantCatalog catalog =
                TenantCatalog.read(session.source(), session.parts().tables());
        List<TableDigest> old =
                TenantDigest.read(session.source(), catalog, session.move().tenant());
        List<TableDigest> certified =
                Reports.tables(steps).stream().map(TableReport::source).toList();
        if (session.phase() == MovePhase.RETAINED) {
            requireAsCertified(old, certified);
            session.advance(MovePhase.CLEANING, "{}");
        }
        requireNoMoreThanCertified(old, certified);
        new Sweeping(session).run(session.source(), catalog);
        session.advance(MovePhase.DONE, "{}");
    }

    private void requireLivesOnTarget() throws SQLException {
        Ownership row = session.guard()
                .ownership(session.target(), session.move().tenant())
                .orElseThrow(() -> refusal("target has no record of the tenant"));
        if (row.state() != OwnershipState.OWNED && row.state() != OwnershipState.FROZEN) {
            throw refusal("target does not own the tenant (state=" + row.state() + ")");
        }
        if (row.generation() < session.nextGeneration()) {
            throw refusal("target owns the tenant at an older generation (generation=" + row.generation()
                    + ", at least " + session.nextGeneration() + ")");
        }
        String now = session.guard()
                .identity(session.target())
                .map(Aftermath::identityText)
                .orElse("none");
        String then = identityAtActivation();
        if (!now.equals(then)) {
            throw refusal("target is another database than at activation");
        }
    }

    private String identityAtActivation() {
        MoveStep activated = Reports.last(steps, MovePhase.ACTIVATED, "targetIdentity");
        @Nullable Object identity =
                activated == null ? null : JsonReader.object(activated.detail()).get("targetIdentity");
        return String.valueOf(identity);
    }

    private void requireMovedAway() throws SQLException {
        if (!Aftermath.sourceMoved(session)) {
            throw refusal("source does not hold the tenant as moved by this move");
        }
    }

    private void requireAsCertified(List<TableDigest> old, List<TableDigest> certified) {
        DigestComparison comparison = DigestComparison.compare(certified, old);
        if (!comparison.differences().isEmpty()) {
            throw refusal("old rows are not those that were copied: " + comparison.differences());
        }
    }

    /** A run that goes on with the cleaning of another finds fewer rows, never more. */
    private void requireNoMoreThanCertified(List<TableDigest> old, List<TableDigest> certified) {
        List<String> grown = new ArrayList<>();
        for (TableDigest table : old) {
            long bound = certified.stream()
                    .filter(c -> c.table().equals(table.table()))
                    .mapToLong(TableDigest::rows)
                    .sum();
            if (table.rows() > bound) {
                grown.add(table.table() + " " + BigDecimal.valueOf(table.rows()) + " > " + bound);
            }
        }
        if (!grown.isEmpty()) {
            throw refusal("there are more old rows than were copied: " + grown);
        }
    }

    private MoveStopped refusal(String why) {
        MoveRecord move = session.move();
        return new MoveStopped("shard " + move.source() + " - old rows of move " + move.id() + " were not cleaned: " + why
                + " (" + Map.of("target", move.target(), "generation", move.generation()) + ")");
    }
}
