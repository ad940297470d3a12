package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.directory.MoveProgress;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;

/** Moves slowly in a process of its own, and says when rows travel. */
final class DoomedMover {
    static final String COPYING = "copying";

    private DoomedMover() {}

    static void run(Address directory) {
        try (Homeshard homeshard = Desk.connect(directory)) {
            TenantMover mover = TenantMover.of(
                    homeshard, LostMover.SHORT_LEASE.copy(CopyLimits.defaults().bytesPerSecond(100_000)));
            MovePlan plan = mover.plan(SingleMove.ACME, SingleMove.S3);
            String[] warnings = plan.obstacles().stream()
                    .map(finding -> finding.name())
                    .distinct()
                    .toArray(String[]::new);
            mover.execute(plan.accepting(warnings), new MoveListener() {
                @Override
                public void progress(MoveProgress progress) {
                    System.out.println(COPYING);
                    System.out.flush();
                }
            });
        }
    }
}
