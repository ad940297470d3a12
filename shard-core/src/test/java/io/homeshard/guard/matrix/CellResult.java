package io.homeshard.guard.matrix;

import java.util.List;

/**
 * What came of a cell.
 *
 * @param cell the cell
 * @param wrong what was not as it must be
 * @param broken why the cell could not be played, or empty
 */
record CellResult(Cell cell, List<String> wrong, String broken) {
    CellResult {
        wrong = List.copyOf(wrong);
    }

    boolean right() {
        return wrong.isEmpty() && broken.isEmpty();
    }

    /** Whether the guard, not the test, was at fault. */
    boolean caught() {
        return !wrong.isEmpty() && broken.isEmpty();
    }

    @Override
    public String toString() {
        return cell + ": " + String.join(", ", wrong) + (broken.isEmpty() ? "" : " BROKEN " + broken);
    }
}
