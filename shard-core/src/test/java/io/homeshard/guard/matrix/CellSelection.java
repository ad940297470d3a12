package io.homeshard.guard.matrix;

import java.util.ArrayList;
import java.util.List;

/** Which cells of the matrix are played. */
final class CellSelection {
    private CellSelection() {}

    /**
     * Each kind with each timeline twice, in a fresh session and in one that has written before, and the levels dealt
     * out so that each kind and each timeline also meets each level in both.
     */
    static List<Cell> pairwise() {
        List<WriteKind> kinds = WriteKinds.all();
        List<Cell> cells = new ArrayList<>();
        for (int k = 0; k < kinds.size(); k++) {
            for (Timeline timeline : Timeline.values()) {
                Level level = Level.values()[(k + timeline.ordinal()) % Level.values().length];
                add(cells, kinds.get(k), level, timeline, false);
                add(cells, kinds.get(k), level.next(), timeline, true);
            }
        }
        return List.copyOf(cells);
    }

    /** Each kind with each timeline at each level, in a fresh session and in one that has written before. */
    static List<Cell> complete() {
        List<Cell> cells = new ArrayList<>();
        for (WriteKind kind : WriteKinds.all()) {
            for (Level level : Level.values()) {
                for (Timeline timeline : Timeline.values()) {
                    add(cells, kind, level, timeline, false);
                    add(cells, kind, level, timeline, true);
                }
            }
        }
        return List.copyOf(cells);
    }

    private static void add(List<Cell> cells, WriteKind kind, Level level, Timeline timeline, boolean warm) {
        if (timeline.suits(kind)) {
            Cell cell = Cell.of(kind, level, timeline);
            cells.add(warm ? cell.warmed() : cell);
        }
    }
}
