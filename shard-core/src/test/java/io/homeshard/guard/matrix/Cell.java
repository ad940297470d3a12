package io.homeshard.guard.matrix;

/**
 * One case of the matrix.
 *
 * @param kind how the application writes
 * @param level at which isolation level
 * @param courseName name of the course
 * @param course what happens meanwhile
 */
record Cell(WriteKind kind, Level level, String courseName, Course course) {
    static Cell of(WriteKind kind, Level level, Timeline timeline) {
        return new Cell(kind, level, timeline.label(), timeline.course());
    }

    @Override
    public String toString() {
        return kind + " / " + level.sql() + " / " + courseName;
    }
}
