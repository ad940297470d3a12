package io.homeshard.migrate.move;

import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.json.JsonObject;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the old rows on the source, and only what lives elsewhere: first the shard that has the tenant now is asked
 * itself, then the old rows are compared with what was certified when they were copied, then they go in batches that the
 * shard admits for this move and generation only.
 */
record Cleaning(MoveSession session) {
    private static final Logger log = LoggerFactory.getLogger(Cleaning.class);

    void run() throws SQLException {
        requireLivesElsewhere();
        requireMovedAway();
        Connection source = session.source();
        TenantCatalog catalog = TenantCatalog.read(source, session.parts().tables());
        Certificate certificate =
                new Certificates(session.parts(), session.watcher().steps()).of(session.move());
        RetainedRows old = session.onManyRows(() -> RetainedRows.read(source, catalog, certificate), source);
        if (session.phase() == MovePhase.RETAINED) {
            if (!RetainedRows.emptiedByALaterMove(session.parts().journal(), session.move())) {
                requireAsCertified(old);
            }
            session.advance(MovePhase.CLEANING, "{}");
        }
        requireNoMoreThanCertified(old, certificate);
        LoadMode mode = Loading.ofSweep(session.move().source(), source, catalog);
        session.onManyRows(() -> new Sweeping(session, Step.SWEEP_OLD, mode).run(source, catalog), source);
        session.advance(MovePhase.DONE, "{}");
    }

    /** Asks the shard that has the tenant now: the target, or the one to which it has moved on from there. */
    private void requireLivesElsewhere() throws SQLException {
        TenantId tenant = session.move().tenant();
        ShardId home = session.parts()
                .directory()
                .find(tenant)
                .map(Placement::shard)
                .orElseThrow(() -> refusal("the directory does not know the tenant"));
        if (home.equals(session.move().source())) {
            throw refusal("the tenant lives on this very shard");
        }
        try (Connection connection = session.open(home)) {
            Ownership row = session.guard()
                    .ownership(connection, tenant)
                    .orElseThrow(() -> refusal("shard " + home + " has no record of the tenant"));
            if (row.state() != OwnershipState.OWNED && row.state() != OwnershipState.FROZEN) {
                throw refusal("shard " + home + " does not own the tenant (state=" + row.state() + ")");
            }
            if (row.generation() < session.nextGeneration()) {
                throw refusal("shard " + home + " owns the tenant at an older generation (generation="
                        + row.generation() + ", at least " + session.nextGeneration() + ")");
            }
            requireSameDatabase(connection, home);
        }
    }

    /** The database must be the one that was activated, not another one under the same name. */
    private void requireSameDatabase(Connection connection, ShardId home) throws SQLException {
        Optional<String> now = session.guard().identity(connection).map(Aftermath::identityText);
        MoveJournal journal = session.parts().journal();
        Optional<String> then = journal.ofTenant(session.move().tenant()).stream()
                .filter(move -> move.target().equals(home))
                .map(move -> Reports.last(journal.steps(move.id()), MovePhase.ACTIVATED, "targetIdentity"))
                .filter(Objects::nonNull)
                .findFirst()
                .map(step -> JsonObject.parse(step.detail()).text("targetIdentity"));
        if (now.isEmpty() || !now.equals(then)) {
            throw refusal("shard " + home + " is another database than at activation");
        }
    }

    private void requireMovedAway() throws SQLException {
        if (!Aftermath.sourceMoved(session)) {
            throw refusal("source does not hold the tenant as moved by this move");
        }
    }

    private void requireAsCertified(RetainedRows old) {
        if (!old.differences().isEmpty()) {
            throw refusal("old rows are not those that were copied: " + old.differences());
        }
        if (!old.answers().isEmpty()) {
            throw refusal("checks are answered otherwise than when the tenant moved: " + old.answers());
        }
        if (!old.countedOnly().isEmpty()) {
            log.warn(
                    "move {} - tables have changed since, so that old rows were only counted (tables={})",
                    session.move().id(),
                    old.countedOnly());
        }
    }

    /** What another run or move has deleted already is missing; nothing may have come. */
    private void requireNoMoreThanCertified(RetainedRows old, Certificate certificate) {
        List<String> grown = new ArrayList<>();
        for (TableDigest table : old.digests()) {
            long bound = certificate.report().tables().stream()
                    .filter(c -> c.table().equals(table.table()))
                    .mapToLong(c -> c.source().rows())
                    .sum();
            if (table.rows() > bound) {
                grown.add(table.table() + " " + table.rows() + " > " + bound);
            }
        }
        if (!grown.isEmpty()) {
            throw refusal("there are more old rows than were copied: " + grown);
        }
    }

    private MoveStopped refusal(String why) {
        MoveRecord move = session.move();
        return new MoveStopped("shard " + move.source() + " - old rows of move " + move.id() + " were not cleaned: "
                + why + " (" + Map.of("target", move.target(), "generation", move.generation()) + ")");
    }
}
