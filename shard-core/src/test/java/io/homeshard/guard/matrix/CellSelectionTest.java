package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CellSelectionTest {
    private static final int KINDS = 41;
    private static final int TIMELINES = 14;
    private static final int LEVELS = 3;

    /** COPY and the script fit neither PL/pgSQL nor PREPARE. */
    private static final int UNSUITED = 4;

    @Test
    void pairwiseMeetsEachPair() {
        List<Cell> cells = CellSelection.pairwise();
        assertThat(cells).hasSize(KINDS * TIMELINES - UNSUITED);
        assertThat(pairs(cells, cell -> cell.kind() + "/" + cell.courseName())).isEqualTo(KINDS * TIMELINES - UNSUITED);
        assertThat(pairs(cells, cell -> cell.kind() + "/" + cell.level())).isEqualTo(KINDS * LEVELS);
        assertThat(pairs(cells, cell -> cell.courseName() + "/" + cell.level())).isEqualTo(TIMELINES * LEVELS);
    }

    @Test
    void completeIsComplete() {
        assertThat(CellSelection.complete())
                .hasSize((KINDS * TIMELINES - UNSUITED) * LEVELS)
                .doesNotHaveDuplicates();
    }

    private static long pairs(List<Cell> cells, Function<Cell, String> pair) {
        return cells.stream().map(pair).distinct().count();
    }
}
