package io.homeshard.guard.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which cells of the matrix are played. */
final class CellSelection {
    private CellSelection() {}

    /**
     * Each kind with each timeline once; levels and sessions (fresh, or one that has written before) are dealt out so
     * that each kind and each timeline meets each level in both.
     */
    static List<Cell> pairwise() {
        List<Cell> cells = dealt(WriteKinds.all());
        cells.addAll(dealt(WriteKinds.inBulk()));
        return List.copyOf(cells);
    }

    private static List<Cell> dealt(List<WriteKind> kinds) {
        List<Cell> cells = new ArrayList<>();
        for (int k = 0; k < kinds.size(); k++) {
            for (Timeline timeline : Timeline.values()) {
                int turn = k + timeline.ordinal();
                add(cells, kinds.get(k), Level.values()[turn % Level.values().length], timeline, turn % 2 == 0);
            }
        }
        return cells;
    }

    /** Each kind with each timeline at each level, in a fresh session and in one that has written before. */
    static List<Cell> complete() {
        List<Cell> cells = new ArrayList<>();
        List<WriteKind> kinds = Stream.concat(WriteKinds.all().stream(), WriteKinds.inBulk().stream())
                .toList();
        for (WriteKind kind : kinds) {
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
