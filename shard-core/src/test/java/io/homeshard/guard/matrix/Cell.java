package io.homeshard.guard.matrix;

/**
 * One case of the matrix.
 *
 * @param kind how the application writes
 * @param level at which isolation level
 * @param courseName name of the course
 * @param course what happens meanwhile
 * @param warm whether the session has written the tenant before, in a transaction that has committed
 */
record Cell(WriteKind kind, Level level, String courseName, Course course, boolean warm) {
    static Cell of(WriteKind kind, Level level, Timeline timeline) {
        return new Cell(kind, level, timeline.label(), timeline.course(), false);
    }

    /** The same in a session that has written the tenant before. */
    Cell warmed() {
        return new Cell(kind, level, courseName, course, true);
    }

    @Override
    public String toString() {
        return kind + " / " + level.sql() + " / " + courseName + (warm ? " / warm" : "");
    }
}
