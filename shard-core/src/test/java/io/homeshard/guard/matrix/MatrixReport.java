package io.homeshard.guard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;

/**
 * Outcome of a run beside that of its negative control.
 *
 * @param postgres major version of the server
 * @param guarded the cells with the guard
 * @param control cells without it
 */
record MatrixReport(String postgres, List<CellResult> guarded, List<CellResult> control) {
    MatrixReport {
        guarded = List.copyOf(guarded);
        control = List.copyOf(control);
    }

    /** Plays the cells with the guard, and the control cells with the guard's triggers off. */
    static MatrixReport of(List<Cell> cells, List<Cell> controlCells) throws SQLException {
        try (GuardedShop shop = GuardedShop.create();
                GuardedShop open = GuardedShop.create()) {
            open.disarm();
            List<CellResult> guarded = MatrixRunner.run(shop, cells);
            List<CellResult> control = MatrixRunner.run(open, controlCells);
            return new MatrixReport(shop.majorVersion(), guarded, control);
        }
    }

    List<CellResult> wrong() {
        return guarded.stream().filter(result -> !result.right()).toList();
    }

    long caught() {
        return control.stream().filter(CellResult::caught).count();
    }

    /** Prints a line of summary, wrong cells, and control cells that went unnoticed. */
    void print(String title) {
        System.out.printf(
                "%s: pg=%s cells=%d wrong=%d negative_control_caught=%d of %d%n",
                title, postgres, guarded.size(), wrong().size(), caught(), control.size());
        wrong().forEach(result -> System.out.println("  wrong: " + result));
        control.stream()
                .filter(result -> !result.caught())
                .forEach(result -> System.out.println("  control not caught: " + result));
    }

    /** Fails unless the guard held everywhere and its absence was noticed everywhere. */
    void check() {
        assertThat(wrong()).isEmpty();
        assertThat(caught()).isPositive().isEqualTo(control.size());
    }
}
