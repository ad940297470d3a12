package io.homeshard.tenants;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.tenants.TenantEvidence.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of one verdict under an epoch of its own. First every shard that has a record is told of the epoch, so
 * that nothing older can land any more; then the records are read again, and only if they are still those of the evidence
 * the steps follow, the directory's first.
 */
record Mending(ReconciliationParts parts, AnsweringShards shards, TenantEvidence evidence) {
    private static final Logger LOG = LoggerFactory.getLogger(Mending.class);
    private static final Duration LOCK = Duration.ofMillis(100);
    private static final String REASON = "reconcile";

    /** Empty when it is mended, else what stood in the way. */
    Optional<String> run(Verdict verdict) {
        try {
            long epoch = parts.directoryMending().liftEpochs(shards.highestEpoch());
            Optional<String> changed = fence(epoch);
            if (changed.isPresent()) {
                return changed;
            }
            for (Mend step : verdict.steps()) {
                StepResult result = run(step, epoch);
                if (!result.ok()) {
                    return Optional.of(result.toString());
                }
            }
            LOG.info(
                    "reconciliation - mended {} (shard={}, steps={})",
                    verdict.kind(),
                    verdict.shard(),
                    verdict.steps().size());
            return Optional.empty();
        } catch (SQLException e) {
            LOG.warn("reconciliation - {} was not mended", verdict.kind(), e);
            return Optional.of("not mended, reconcile again (" + AnsweringShards.why(e) + ")");
        }
    }

    private Optional<String> fence(long epoch) throws SQLException {
        for (Map.Entry<ShardId, Ownership> entry : evidence.rows().entrySet()) {
            MoverToken token = token(entry.getValue(), epoch);
            try (Connection session = shards.open(entry.getKey(), token)) {
                ShardFence.raise(parts.guard(), session, token);
            }
        }
        Map<ShardId, Ownership> now = shards.records(evidence.tenant());
        boolean same = now.keySet().equals(evidence.rows().keySet());
        for (Map.Entry<ShardId, Ownership> entry : now.entrySet()) {
            same = same && alike(entry.getValue(), evidence.rows().get(entry.getKey()));
        }
        return same ? Optional.empty() : Optional.of("things have changed meanwhile, reconcile again");
    }

    /** All but the epoch, which has just been raised. */
    private static boolean alike(Ownership one, @Nullable Ownership other) {
        return other != null
                && one.state() == other.state()
                && one.generation() == other.generation()
                && Objects.equals(one.move(), other.move())
                && Objects.equals(one.attempt(), other.attempt())
                && Objects.equals(one.verifiedAttempt(), other.verifiedAttempt());
    }

    /** Speaks for the move that a record names; the epoch says who really is at it. */
    private MoverToken token(Ownership row, long epoch) {
        UUID move = row.move() == null ? new UUID(0, epoch) : row.move();
        return new MoverToken(evidence.tenant(), move, epoch, row.attempt() == null ? 1 : row.attempt());
    }

    private StepResult run(Mend step, long epoch) throws SQLException {
        if (step instanceof Mend.Place place) {
            Placement seen = evidence.placement();
            return parts.directoryMending()
                    .place(
                            evidence.tenant(),
                            seen == null ? null : seen.mapVersion(),
                            place.shard(),
                            place.generation(),
                            REASON);
        }
        if (step instanceof Mend.Close close) {
            return parts.directoryMending().close(close.move(), close.to(), REASON);
        }
        if (step instanceof Mend.Raise raise) {
            return parts.directoryMending().raiseGeneration(evidence.tenant(), raise.generation());
        }
        if (step instanceof Mend.Disown disown) {
            return on(disown.row(), epoch, (session, token) -> disown(session, named(token), disown));
        }
        if (step instanceof Mend.MarkMoved moved) {
            return on(
                    moved.row(),
                    epoch,
                    (session, token) ->
                            parts.guard().markMoved(session, token, moved.row().generation(), moved.owner()));
        }
        if (step instanceof Mend.Reopen reopen) {
            return on(
                    reopen.row(),
                    epoch,
                    (session, token) -> parts.shardMending()
                            .reopen(session, token, reopen.row().generation(), reopen.generation()));
        }
        if (step instanceof Mend.Activate activate) {
            return on(
                    activate.row(),
                    epoch,
                    (session, token) -> parts.guard()
                            .activate(session, token, activate.row().generation()));
        }
        Mend.Release release = (Mend.Release) step;
        return on(release.row(), epoch, (session, token) -> {
            ShardSession.forManyRows(session);
            return new Leftover(parts, session, token).release(release);
        });
    }

    /** What an outdated owner holds is no move's old rows: nobody cleans it, a gathering finds it. */
    private static MoverToken named(MoverToken token) {
        return new MoverToken(token.tenant(), UUID.randomUUID(), token.epoch(), token.attempt());
    }

    private StepResult disown(Connection session, MoverToken token, Mend.Disown step) throws SQLException {
        try {
            return parts.shardMending().disown(session, token, step.row().generation(), step.owner(), LOCK);
        } catch (SQLException e) {
            if (SqlStates.find(e, SqlStates.LOCK_TIMEOUT) == null) {
                throw e;
            }
            return StepResult.parse("refused: a transaction that writes for it does not end, reconcile again");
        }
    }

    private interface OnShard {
        StepResult run(Connection session, MoverToken token) throws SQLException;
    }

    private StepResult on(Row row, long epoch, OnShard step) throws SQLException {
        MoverToken token = token(row.ownership(), epoch);
        try (Connection session = shards.open(row.shard(), token)) {
            return step.run(session, token);
        }
    }
}
