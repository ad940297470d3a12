package io.homeshard.tenants;

import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.Ownership;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Walks through directory and shards side by side, and looks twice at every tenant about which they do not agree. */
final class TwoWitnesses implements Reconciliation {
    private static final Logger LOG = LoggerFactory.getLogger(TwoWitnesses.class);

    private final ReconciliationParts parts;

    TwoWitnesses(ReconciliationParts parts) {
        this.parts = Objects.requireNonNull(parts, "parts");
    }

    @Override
    public ReconcileReport reconcile(boolean dryRun) {
        try (AnsweringShards shards = AnsweringShards.ask(parts)) {
            Run run = new Run(parts, shards, dryRun);
            run.epochs();
            long tenants = walk(shards, run);
            ReconcileReport report = new ReconcileReport(dryRun, tenants, run.differences(), shards.silent());
            LOG.info(
                    "reconciliation - ended (dryRun={}, tenants={}, differences={}, unreachable={})",
                    dryRun,
                    tenants,
                    report.differences().size(),
                    report.unreachable().keySet());
            return report;
        }
    }

    private long walk(AnsweringShards shards, Run run) {
        Pages<Placement> directory = new Pages<>(
                (after, limit) ->
                        parts.admin().list(after.isEmpty() ? Optional.empty() : Optional.of(TenantId.of(after)), limit),
                placement -> placement.tenant().value());
        Map<ShardId, Pages<Ownership>> records = shards.records();
        long tenants = 0;
        while (true) {
            String next = first(Stream.concat(Stream.of(directory), records.values().stream()));
            if (next == null) {
                return tenants;
            }
            tenants++;
            Placement placement = directory.take(next);
            Map<ShardId, Ownership> rows = new TreeMap<>();
            records.forEach((shard, pages) -> {
                Ownership row = pages.take(next);
                if (row != null) {
                    rows.put(shard, row);
                }
            });
            if (!TenantEvidence.plain(placement, rows)) {
                run.look(TenantId.of(next));
            }
        }
    }

    private static @Nullable String first(Stream<? extends Pages<?>> cursors) {
        return cursors.map(Pages::peek)
                .filter(Objects::nonNull)
                .min(Pages::compare)
                .orElse(null);
    }

    /** One reconciliation under way. */
    private static final class Run {
        /** Reading a tenant of which nobody can tell for so often is left to those who change it. */
        private static final int LOOKS = 3;
        /** What is mended may uncover what was behind it. */
        private static final int ROUNDS = 4;

        private final ReconciliationParts parts;
        private final AnsweringShards shards;
        private final boolean dryRun;
        private final List<Difference> differences = new ArrayList<>();
        private boolean lifted;

        Run(ReconciliationParts parts, AnsweringShards shards, boolean dryRun) {
            this.parts = parts;
            this.shards = shards;
            this.dryRun = dryRun;
        }

        List<Difference> differences() {
            return differences;
        }

        /** Before all else: with an epoch that a shard has seen a later one of, nothing can be mended. */
        void epochs() {
            long given = parts.directoryMending().lastEpoch();
            long found = shards.highestEpoch();
            if (found <= given) {
                return;
            }
            if (!dryRun) {
                lift();
                parts.directoryMending().liftEpochs(found);
            }
            differences.add(new Difference(
                    DifferenceKind.EPOCHS_BEHIND,
                    null,
                    null,
                    "a shard has heard of an epoch that the directory has not given out (found=" + found + ", last="
                            + given + ")",
                    dryRun ? Difference.Outcome.WOULD_MEND : Difference.Outcome.MENDED,
                    ""));
        }

        private void lift() {
            if (!lifted) {
                int incarnation = parts.directoryMending().lift();
                LOG.info("reconciliation - the directory has forgotten something (incarnation={})", incarnation);
                lifted = true;
            }
        }

        void look(TenantId tenant) {
            for (int round = 1; round <= ROUNDS; round++) {
                Optional<TenantEvidence> evidence = evidence(tenant);
                if (evidence.isEmpty()) {
                    return;
                }
                List<Verdict> verdicts = new Judgement(evidence.get()).verdicts();
                boolean mended = false;
                List<Difference> left = new ArrayList<>();
                for (Verdict verdict : verdicts) {
                    Difference difference = dealt(evidence.get(), verdict, mended);
                    if (difference.outcome() == Difference.Outcome.MENDED) {
                        differences.add(difference);
                        mended = true;
                    } else {
                        left.add(difference);
                    }
                }
                if (!mended || round == ROUNDS) {
                    differences.addAll(left);
                    return;
                }
            }
        }

        /** Evidence is good for one mend: the next one is looked at afresh. */
        private Difference dealt(TenantEvidence evidence, Verdict verdict, boolean mended) {
            Difference.Outcome outcome = Difference.Outcome.LEFT;
            String remedy = verdict.remedy();
            if (verdict.undecided()) {
                outcome = Difference.Outcome.UNDECIDED;
            } else if (!verdict.steps().isEmpty() && dryRun) {
                outcome = Difference.Outcome.WOULD_MEND;
            } else if (!verdict.steps().isEmpty() && !mended) {
                if (verdict.kind() == DifferenceKind.DIRECTORY_BEHIND
                        || verdict.kind() == DifferenceKind.UNKNOWN_TENANT
                        || verdict.kind() == DifferenceKind.GENERATION_FORGOTTEN) {
                    lift();
                }
                Optional<String> problem = new Mending(parts, shards, evidence).run(verdict);
                outcome = problem.isEmpty() ? Difference.Outcome.MENDED : Difference.Outcome.LEFT;
                remedy = problem.orElse("");
            }
            return new Difference(verdict.kind(), evidence.tenant(), verdict.shard(), verdict.what(), outcome, remedy);
        }

        /** Empty while somebody changes it. */
        private Optional<TenantEvidence> evidence(TenantId tenant) {
            for (int look = 1; look <= LOOKS; look++) {
                TenantEvidence before = directory(tenant, Map.of());
                Map<ShardId, Ownership> rows = shards.records(tenant);
                TenantEvidence after = directory(tenant, rows);
                if (Objects.equals(before.placement(), after.placement())
                        && before.creating() == after.creating()
                        && alike(before.moves(), after.moves())) {
                    return Optional.of(after);
                }
            }
            return Optional.empty();
        }

        private TenantEvidence directory(TenantId tenant, Map<ShardId, Ownership> rows) {
            return new TenantEvidence(
                    tenant,
                    parts.directory().find(tenant).orElse(null),
                    parts.directoryMending().creating(tenant),
                    parts.directoryMending().knownGeneration(tenant),
                    parts.journal().ofTenant(tenant),
                    rows,
                    shards.silent().keySet());
        }

        private static boolean alike(List<MoveRecord> before, List<MoveRecord> after) {
            return before.size() == after.size()
                    && (before.isEmpty()
                            || (before.get(0).phase() == after.get(0).phase()
                                    && before.get(0).epoch() == after.get(0).epoch()));
        }
    }
}
