package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every crash point with every fault. One owner or none at each moment; afterwards one, who has every acknowledged row
 * once, and nothing is left elsewhere.
 */
class CrashMatrixTest {
    /** Of all cells 0, 1 or 2, or all. */
    private static final String THIRD = System.getProperty("homeshard.crash.third", "all");

    private static final int LANES = Integer.getInteger("homeshard.crash.lanes", 3);

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void reduced() {
        play(CrashCell.reduced(Step.FREEZE, Step.COMMIT_TABLE, Step.FLIP, Step.MARK_MOVED));
    }

    @Tag("crash-matrix")
    @Test
    @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whole() {
        System.out.println("crash-matrix: cells " + THIRD + " (0, 1 and 2 are thirds)");
        play(THIRD.equals("all") ? CrashCell.all() : CrashCell.third(Integer.parseInt(THIRD)));
    }

    private static void play(List<CrashCell> cells) {
        CrashMatrix matrix = new CrashMatrix(cells);
        matrix.play(LANES);
        System.out.println(matrix.table());
        matrix.failures.values().forEach(Throwable::printStackTrace);
        assertThat(matrix.failures).isEmpty();
        assertThat(matrix.results).hasSameSizeAs(cells);
    }
}
