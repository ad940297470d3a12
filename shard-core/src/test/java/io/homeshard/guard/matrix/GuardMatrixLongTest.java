package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole matrix. */
@Tag("long")
class GuardMatrixLongTest {
    @Test
    void noWritePassesTheGuardAndNoRightfulWriteIsRefused() throws SQLException {
        List<Cell> cells = Stream.concat(CellSelection.complete().stream(), SpecialCells.all().stream())
                .toList();
        MatrixReport report = MatrixReport.of(cells, CellSelection.pairwise());
        report.print("guard matrix");
        report.check();
    }
}
