package io.homeshard.migrate.move;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** One cell of the matrix. */
record CrashCell(CrashPoint point, CrashFault fault) {
    /** The faults of the full matrix. */
    static final EnumSet<CrashFault> FAULTS = EnumSet.complementOf(EnumSet.of(CrashFault.STOPPED_DEAD));

    /** Every point with every fault. */
    static List<CrashCell> all() {
        List<CrashCell> cells = new ArrayList<>();
        for (CrashPoint point : CrashPoint.all()) {
            for (CrashFault fault : FAULTS) {
                cells.add(new CrashCell(point, fault));
            }
        }
        return cells;
    }

    /** A third of them, 0 to 2, with every point and every fault in it. */
    static List<CrashCell> third(int third) {
        List<CrashPoint> points = CrashPoint.all();
        return all().stream()
                .filter(cell -> (points.indexOf(cell.point()) + cell.fault().ordinal()) % 3 == third)
                .toList();
    }

    /** Every point with a mover that stops dead, and every fault at one point after each of some steps. */
    static List<CrashCell> reduced(Step... steps) {
        List<CrashCell> cells = new ArrayList<>();
        for (CrashPoint point : CrashPoint.all()) {
            cells.add(new CrashCell(point, CrashFault.STOPPED_DEAD));
        }
        int turn = 0;
        for (Step step : steps) {
            for (CrashFault fault : FAULTS) {
                cells.add(new CrashCell(turn++ % 2 == 0 ? CrashPoint.after(step) : CrashPoint.before(step), fault));
            }
            turn++;
        }
        return cells;
    }

    @Override
    public String toString() {
        return point + " x " + fault;
    }
}
