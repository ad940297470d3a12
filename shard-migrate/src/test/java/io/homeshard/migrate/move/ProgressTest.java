package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MoveProgress;
import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How far a copy is, for whoever runs it and for whoever asks the directory. */
class ProgressTest extends MovingShop {
    ProgressTest() {
        super(50);
    }

    @Test
    void theListenerHearsRowsBytesAndShareUntilAllIsThere() {
        List<MoveProgress> heard = new ArrayList<>();
        MoveEngine engine = lab.engine();
        MoveReport report = engine.execute(engine.plan(tenant, s2), new MoveListener() {
            @Override
            public void progress(MoveProgress progress) {
                heard.add(progress);
            }
        });
        assertThat(heard).hasSizeGreaterThanOrEqualTo(4 + 1);
        for (int i = 1; i < heard.size(); i++) {
            assertThat(heard.get(i).rows())
                    .isGreaterThanOrEqualTo(heard.get(i - 1).rows());
            assertThat(heard.get(i).bytes())
                    .isGreaterThanOrEqualTo(heard.get(i - 1).bytes());
        }
        assertThat(heard.subList(0, heard.size() - 1)).allSatisfy(before -> {
            assertThat(before.complete()).isFalse();
            assertThat(before.share()).isLessThan(1);
            assertThat(before.expectedRows()).isGreaterThanOrEqualTo(before.rows());
        });
        MoveProgress last = heard.get(heard.size() - 1);
        assertThat(last.share()).isEqualTo(1);
        assertThat(last.rows()).isEqualTo(report.rows()).isEqualTo(last.expectedRows());
        assertThat(last.bytes()).isEqualTo(report.bytes());
    }

    /** The mover waits in its listener until another engine has read in the directory what the listener has heard. */
    @Test
    void anotherProcessReadsItInTheDirectory() {
        MoveEngine other = lab.engine();
        List<MoveProgress> read = new ArrayList<>();
        MoveEngine engine = lab.engine(MoveLab.SHORT_LEASE);
        MovePlan plan = engine.plan(tenant, s2);
        assertThat(other.progress(plan.move())).isEmpty();
        engine.execute(plan, new MoveListener() {
            @Override
            public void progress(MoveProgress heard) {
                if (heard.complete() || read.isEmpty()) {
                    MoveLab.await(() -> other.progress(plan.move())
                            .filter(said -> said.bytes() == heard.bytes() && said.complete() == heard.complete())
                            .isPresent());
                    read.add(other.progress(plan.move()).orElseThrow());
                }
            }
        });
        assertThat(read).hasSize(2);
        assertThat(read.get(0).share()).isPositive().isLessThan(1);
        assertThat(read.get(0).timeLeft()).isPresent();
        assertThat(read.get(1).share()).isEqualTo(1);
        assertThat(read.get(1).move()).isEqualTo(plan.move());
        assertThat(other.progress(plan.move())).contains(read.get(1));
    }

    @Test
    void aWrongEstimateIsCorrectedAsSoonAsItIsKnownToBeWrong() {
        TableName small = TableName.parse("app.small");
        TableName big = TableName.parse("app.big");
        CopyTracker tracker = tracker(List.of(new PlannedTable(small, 10, 1000), new PlannedTable(big, 10, 1000)));
        assertThat(tracker.now().share()).isZero();
        tracker.progress(small, new CopyTracker.Amount(5, 500));
        assertThat(tracker.now().share()).isEqualTo(0.25);
        tracker.copied(small, new CopyTracker.Amount(6, 600));
        assertThat(tracker.now().expectedRows()).isEqualTo(16);
        assertThat(tracker.now().share()).isEqualTo(600.0 / 1600);
        tracker.progress(big, new CopyTracker.Amount(100, 9000));
        assertThat(tracker.now().share()).as("more than expected").isEqualTo(0.99);
        assertThat(tracker.now().timeLeft()).as("nobody knows").isEmpty();
        tracker.copied(big, new CopyTracker.Amount(100, 9400));
        assertThat(tracker.now().share()).as("not complete yet").isEqualTo(0.99);
        tracker.complete();
        assertThat(tracker.now().share()).isEqualTo(1);
        assertThat(tracker.now().expectedBytes()).isEqualTo(10_000);
    }

    private CopyTracker tracker(List<PlannedTable> tables) {
        MoveEngine engine = lab.engine();
        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);
        Watcher watcher = new Watcher(MoveListener.NONE, new Steps(StepHook.NONE));
        watcher.expect(tables);
        return watcher.copying(lab.journal.find(report.move()).orElseThrow(), lab.parts(MoveLab.CONFIG));
    }
}
