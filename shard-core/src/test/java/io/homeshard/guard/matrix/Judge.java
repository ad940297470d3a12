package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Plays the matrix against a candidate. For callers outside of this package; stateless. */
public final class Judge {
    private Judge() {}

    /**
     * What came of it.
     *
     * @param postgres major version of the server
     * @param cells how many cells were played
     * @param wrong those that were not as they must be, one line each
     */
    public record Verdict(String postgres, int cells, List<String> wrong) {
        /** Copies the list. */
        public Verdict {
            wrong = List.copyOf(wrong);
        }
    }

    /**
     * Each kind of write with each timeline, and the special cells.
     *
     * @param candidate the guard to judge
     * @return the verdict
     * @throws SQLException when the database could not be set up
     */
    public static Verdict pairwise(Candidate candidate) throws SQLException {
        return judge(candidate, CellSelection.pairwise());
    }

    /**
     * Each kind of write with each timeline at each level, and the special cells.
     *
     * @param candidate the guard to judge
     * @return the verdict
     * @throws SQLException when the database could not be set up
     */
    public static Verdict complete(Candidate candidate) throws SQLException {
        return judge(candidate, CellSelection.complete());
    }

    private static Verdict judge(Candidate candidate, List<Cell> matrix) throws SQLException {
        try (GuardedShop shop = GuardedShop.create(candidate)) {
            List<Cell> cells = Stream.concat(matrix.stream(), SpecialCells.of(candidate).stream())
                    .toList();
            List<String> wrong = MatrixRunner.run(shop, cells).stream()
                    .filter(result -> !result.right())
                    .map(CellResult::toString)
                    .toList();
            return new Verdict(shop.majorVersion(), cells.size(), wrong);
        }
    }
}
