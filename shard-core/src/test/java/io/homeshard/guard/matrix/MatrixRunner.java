package io.homeshard.guard.matrix;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Plays cells one after the other. */
final class MatrixRunner {
    private MatrixRunner() {}

    static List<CellResult> run(GuardedShop shop, List<Cell> cells) throws SQLException {
        List<CellResult> results = new ArrayList<>();
        try (Stage stage = Stage.open(shop)) {
            for (Cell cell : cells) {
                results.add(play(stage, cell));
            }
        }
        return results;
    }

    private static CellResult play(Stage stage, Cell cell) {
        List<String> wrong = List.of();
        try (Scene scene = Scene.open(stage, cell)) {
            wrong = scene.wrong();
            cell.course().play(scene);
            return new CellResult(cell, wrong, "");
        } catch (Exception e) {
            return new CellResult(cell, wrong, trace(e));
        }
    }

    private static String trace(Exception failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString().lines().limit(14).reduce("", (all, line) -> all + "\n      " + line);
    }
}
