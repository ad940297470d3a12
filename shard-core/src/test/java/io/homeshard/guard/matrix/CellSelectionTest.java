package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CellSelectionTest {
    private static final int KINDS = 49;
    private static final int BULK = 26;
    private static final int UNSUITED_BULK = 4;
    private static final int TIMELINES = 14;
    private static final int LEVELS = 3;

    /** COPY and the script fit neither PL/pgSQL nor PREPARE. */
    private static final int UNSUITED = 6;

    @Test
    void pairwiseMeetsEachPair() {
        List<Cell> cells = CellSelection.pairwise().stream()
                .filter(cell -> !cell.kind().name().startsWith("bulk"))
                .toList();
        assertThat(cells).hasSize(KINDS * TIMELINES - UNSUITED).doesNotHaveDuplicates();
        assertThat(pairs(cells, cell -> cell.kind() + "/" + cell.level())).isEqualTo(2 * KINDS * LEVELS);
        assertThat(pairs(cells, cell -> cell.courseName() + "/" + cell.level())).isEqualTo(2 * TIMELINES * LEVELS);
    }

    @Test
    void bulkMeetsEachTimeline() {
        List<Cell> cells = CellSelection.pairwise().stream()
                .filter(cell -> cell.kind().name().startsWith("bulk"))
                .toList();
        assertThat(cells).hasSize(BULK * TIMELINES - UNSUITED_BULK);
        assertThat(pairs(cells, cell -> cell.courseName() + "/" + cell.level())).isEqualTo(2 * TIMELINES * LEVELS);
    }

    @Test
    void completeIsComplete() {
        assertThat(CellSelection.complete())
                .hasSize(2 * ((KINDS + BULK) * TIMELINES - UNSUITED - UNSUITED_BULK) * LEVELS)
                .doesNotHaveDuplicates();
    }

    private static long pairs(List<Cell> cells, Function<Cell, String> pair) {
        return cells.stream()
                .map(cell -> pair.apply(cell) + cell.warm())
                .distinct()
                .count();
    }
}
