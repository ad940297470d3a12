package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pairwise part of the matrix, and all special cells. */
class GuardMatrixTest {
    @Test
    void noWritePassesTheGuardAndNoRightfulWriteIsRefused() throws SQLException {
        List<Cell> pairwise = CellSelection.pairwise();
        List<Cell> cells =
                Stream.concat(pairwise.stream(), SpecialCells.all().stream()).toList();
        assertThat(cells).hasSizeGreaterThan(300);

        MatrixReport report = MatrixReport.of(cells, everyNth(pairwise, 13));
        report.print("guard matrix");
        report.check();
    }

    private static List<Cell> everyNth(List<Cell> cells, int n) {
        return IntStream.range(0, cells.size())
                .filter(index -> index % n == 0)
                .mapToObj(cells::get)
                .toList();
    }
}
