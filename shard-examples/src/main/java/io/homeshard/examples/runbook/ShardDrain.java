package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.ShardInUseException;
import io.homeshard.model.TenantId;
import java.sql.SQLException;

/**
 * A shard is emptied and taken out of use.
 *
 * @param homeshard the service
 * @param console where to print
 */
record ShardDrain(Homeshard homeshard, Console console) {
    private static final int MORE_TENANTS = 6;

    void emptyAndRemove() throws SQLException {
        console.section("drain s2, and remove it");
        for (int i = 1; i <= MORE_TENANTS; i++) {
            Desk.open(homeshard, TenantId.of("shop-" + i), SingleMove.S2, i);
        }
        TenantMover mover = TenantMover.of(homeshard);
        DrainPlan plan = mover.planDrain(SingleMove.S2);
        console.line(
                "plan: %d tenants to %s, about %d rows, findings %s",
                plan.moves().size(), plan.targets(), plan.rows(), plan.findings());
        String[] warnings = plan.obstacles().values().stream()
                .flatMap(findings -> findings.stream().map(finding -> finding.name()))
                .distinct()
                .toArray(String[]::new);
        DrainReport report = mover.drain(plan.accepting(warnings), new DrainListener() {
            @Override
            public void moved(MoveReport move) {
                console.line("  %s to %s, frozen for %d ms", move.tenant(), move.target(), move.freezeMillis());
            }
        });
        console.line("complete: %s", report.complete());
        try {
            homeshard.shards().remove(SingleMove.S2);
        } catch (ShardInUseException e) {
            console.line("remove(s2): %s", e.getMessage());
        }
        for (MoveRecord old : mover.retained()) {
            mover.cleanNow(old.id());
        }
        homeshard.shards().remove(SingleMove.S2);
        console.line(
                "remove(s2): done, shards left: %s",
                homeshard.shards().list().stream()
                        .map(shard -> shard.id() + " " + shard.status())
                        .toList());
    }
}
