package io.homeshard.guard.bench;

import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What a mover waits for writers of a hot tenant, and they for it. */
final class MoverPart {
    static final String FREEZES = "freeze";
    static final String STALLS = "stall";

    private static final int WRITERS = 16;
    private static final int BETWEEN = 100;
    private static final TenantId TENANT = TenantId.of(Keys.tenant(0));

    private final Bench bench;

    MoverPart(Bench bench) {
        this.bench = bench;
    }

    void run(List<Contender> contenders) throws SQLException {
        try (Csv freezes = bench.csv(
                        FREEZES,
                        "contender",
                        "freeze",
                        "tries",
                        "frozen_ms",
                        "longest_commit_ms",
                        "longest_refusal_ms");
                Csv stalls = bench.csv(
                        STALLS,
                        "contender",
                        "hold",
                        "held_ms",
                        "tries",
                        "frozen_ms",
                        "queued_ms",
                        "commits",
                        "writers_p50_ms",
                        "writers_p99_ms",
                        "writers_max_ms")) {
            for (Contender contender : contenders) {
                try (Crowd crowd = Crowd.open(bench.shop(), contender, WRITERS, "")) {
                    crowd.among(1);
                    bench.progress("freezes under writers, " + contender.name());
                    freezes(crowd, freezes);
                    bench.progress("freezes behind a transaction, " + contender.name());
                    for (int hold = 1; hold <= bench.size().holds(); hold++) {
                        stall(crowd, hold, stalls);
                    }
                }
            }
        }
    }

    private void freezes(Crowd crowd, Csv csv) throws SQLException {
        FreezePolicy policy = new FreezePolicy(WriteGuard.create(), crowd.owner());
        for (int freeze = 1; freeze <= bench.size().freezes(); freeze++) {
            try (BusyTenant tenant = new BusyTenant(crowd, WRITERS)) {
                tenant.awaitMore(BETWEEN);
                FreezePolicy.Frozen frozen = policy.freeze(TENANT);
                policy.thaw(frozen.token());
                tenant.awaitMore(WRITERS);
                List<BusyTenant.Attempt> attempts = tenant.end();
                csv.row(
                        crowd.contender().name(),
                        freeze,
                        frozen.tries(),
                        frozen.nanos() / 1e6,
                        longest(attempts, false),
                        longest(attempts, true));
            }
        }
    }

    private static double longest(List<BusyTenant.Attempt> attempts, boolean refused) {
        return attempts.stream()
                .filter(attempt -> attempt.refused() == refused)
                .mapToDouble(MoverPart::millis)
                .max()
                .orElse(0);
    }

    private void stall(Crowd crowd, int hold, Csv csv) throws SQLException {
        long length = TimeUnit.MILLISECONDS.toNanos(bench.size().holdMillis());
        FreezePolicy policy = new FreezePolicy(WriteGuard.create(), crowd.owner());
        try (BusyTenant tenant = new BusyTenant(crowd, WRITERS);
                Holder holder = new Holder(bench.shop().application(crowd.database(), ""), hold, length)) {
            tenant.awaitMore(BETWEEN);
            long begun = System.nanoTime();
            FreezePolicy.Frozen frozen = policy.freeze(TENANT);
            List<BusyTenant.Attempt> attempts = meanwhile(tenant, policy, frozen, begun);
            Quantiles writers = Quantiles.of(attempts.stream().mapToDouble(MoverPart::millis));
            csv.row(
                    crowd.contender().name(),
                    hold,
                    holder.end() / 1e6,
                    frozen.tries(),
                    frozen.nanos() / 1e6,
                    frozen.queuedNanos() / 1e6,
                    attempts.stream().filter(attempt -> !attempt.refused()).count(),
                    writers.median(),
                    writers.at(0.99),
                    writers.max());
        }
    }

    /** What the writers did from the first try to the freeze: more than that is the stop that was asked for. */
    private static List<BusyTenant.Attempt> meanwhile(
            BusyTenant tenant, FreezePolicy policy, FreezePolicy.Frozen frozen, long begun) throws SQLException {
        policy.thaw(frozen.token());
        tenant.awaitMore(WRITERS);
        return tenant.end().stream()
                .filter(attempt ->
                        attempt.begun() + attempt.nanos() - begun > 0 && attempt.begun() - begun < frozen.nanos())
                .collect(Collectors.toList());
    }

    private static double millis(BusyTenant.Attempt attempt) {
        return attempt.nanos() / 1e6;
    }
}
