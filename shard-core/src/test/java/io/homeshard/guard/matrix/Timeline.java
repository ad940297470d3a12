package io.homeshard.guard.matrix;

/** The 14 courses that each kind of write takes at each level. */
enum Timeline {
    P1("P1 wrote before the freeze: mover waits, writes again", FreezeCourses::wroteBefore),
    P2("P2 snapshot before the freeze, first write after", FreezeCourses::snapshotBefore),
    P3("P3 waits for the mover, which commits", FreezeCourses::waitsForCommit),
    P3S("P3s snapshot, waits for the mover, which commits", FreezeCourses::waitsForCommitWithSnapshot),
    P3B("P3b waits for the mover, which rolls back", FreezeCourses::waitsForRollback),
    P4("P4 autocommit before and after the freeze", FreezeCourses::autocommit),
    P5("P5 never registered", StateCourses::unknown),
    P6I("P6 incoming", StateCourses::incoming),
    P6M("P6 moved", StateCourses::moved),
    P7("P7 write after rollback to savepoint", FenceCourses::rolledBackFence),
    P7B("P7b fence older than the savepoint stays", FenceCourses::outerFence),
    P8("P8 prepared transaction", FenceCourses::preparedTransaction),
    P9("P9 write in a failed exception block", FenceCourses::exceptionBlock),
    P10("P10 prepared statement, generic plan", FenceCourses::preparedStatement);

    private final String label;
    private final Course course;

    Timeline(String label, Course course) {
        this.label = label;
        this.course = course;
    }

    String label() {
        return label;
    }

    Course course() {
        return course;
    }

    /** COPY and scripts are no statements for PL/pgSQL and PREPARE. */
    boolean suits(WriteKind kind) {
        return kind.form() == WriteKind.Form.STATEMENT || (this != P9 && this != P10);
    }
}
