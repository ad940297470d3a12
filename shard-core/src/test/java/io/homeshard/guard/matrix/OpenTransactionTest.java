package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** D43: a transaction that was open before the freeze is waited for, or fails; it is never lost. */
class OpenTransactionTest {
    @Test
    void transactionOpenBeforeTheFreezeNeverCommitsBehindIt() throws SQLException {
        List<Cell> cells = OpenTransaction.cells();
        MatrixReport report = MatrixReport.of(cells, cells.subList(0, 25));
        report.print("open transactions");
        report.check();
    }
}
