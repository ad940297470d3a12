package io.homeshard.guard.matrix;

import java.util.ArrayList;
import java.util.List;

/** Which cells of the matrix are played. */
final class CellSelection {
    private CellSelection() {}

    /**
     * Each kind with each timeline once, and the levels dealt out so that each kind and each timeline also meets each
     * level.
     */
    static List<Cell> pairwise() {
        List<WriteKind> kinds = WriteKinds.all();
        List<Cell> cells = new ArrayList<>();
        for (int k = 0; k < kinds.size(); k++) {
            for (Timeline timeline : Timeline.values()) {
                Level level = Level.values()[(k + timeline.ordinal()) % Level.values().length];
                add(cells, kinds.get(k), level, timeline);
            }
        }
        return List.copyOf(cells);
    }

    /** Each kind with each timeline at each level. */
    static List<Cell> complete() {
        List<Cell> cells = new ArrayList<>();
        for (WriteKind kind : WriteKinds.all()) {
            for (Level level : Level.values()) {
                for (Timeline timeline : Timeline.values()) {
                    add(cells, kind, level, timeline);
                }
            }
        }
        return List.copyOf(cells);
    }

    private static void add(List<Cell> cells, WriteKind kind, Level level, Timeline timeline) {
        if (timeline.suits(kind)) {
            cells.add(Cell.of(kind, level, timeline));
        }
    }
}
