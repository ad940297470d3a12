package io.homeshard.guard.matrix;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Cells beside the matrix proper. */
final class SpecialCells {
    private SpecialCells() {}

    /** All of them, at each level where the level matters. */
    static List<Cell> all() {
        return Stream.concat(ofAnyGuard(), ofInstalled()).toList();
    }

    /** Those that a candidate has to pass. */
    static List<Cell> of(Candidate candidate) {
        return candidate == Candidate.INSTALLED ? all() : ofAnyGuard().toList();
    }

    /** What any guard must do. */
    private static Stream<Cell> ofAnyGuard() {
        Stream<Cell> single = Stream.of(
                cell(Level.READ_COMMITTED, "procedure commits between two writes", CursorCourses::procedure),
                cell(Level.READ_COMMITTED, "read uncommitted", CursorCourses::readUncommitted));
        return Stream.of(
                        levelled(cursors()),
                        levelled(ValueCourses.all()),
                        levelled(hijacks()),
                        levelled(strict()),
                        levelled(PassCourses.all()),
                        levelled(PassForgery.all()),
                        levelled(ClosingCourses.all()),
                        single)
                .flatMap(cells -> cells);
    }

    /** What the mover notices of the guard that the library installs. */
    private static Stream<Cell> ofInstalled() {
        Map<String, Course> courses = new TreeMap<>(DefinitionCourses.all());
        courses.put("leaf made after the guard", DefinitionCourses::laterLeaf);
        courses.put("ignored tables are no finding", IgnoredCourses::noFinding);
        return courses.entrySet().stream()
                .map(course -> cell(Level.READ_COMMITTED, course.getKey(), course.getValue()));
    }

    private static Stream<Cell> levelled(Map<String, Course> courses) {
        return Stream.of(Level.values())
                .flatMap(level ->
                        courses.entrySet().stream().map(course -> cell(level, course.getKey(), course.getValue())));
    }

    private static Cell cell(Level level, String name, Course course) {
        return new Cell(WriteKinds.INSERT, level, name, course, false);
    }

    private static Map<String, Course> cursors() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("cursor, WHERE CURRENT OF", CursorCourses::currentOf);
        courses.put("cursor WITH HOLD", CursorCourses::withHold);
        courses.put("deferred trigger fires at commit", CursorCourses::deferredAtCommit);
        courses.put("function with SET clause, rollback to savepoint", CursorCourses::functionRolledBack);
        courses.put("function with SET clause keeps its fence", CursorCourses::functionFence);
        courses.put("ignored tables are written freely", IgnoredCourses::writesPass);
        return courses;
    }

    private static Map<String, Course> hijacks() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("forged settings, frozen", HijackCourses::forgedFrozen);
        courses.put("forged settings, incoming", HijackCourses::forgedIncoming);
        courses.put("forged settings, moved", HijackCourses::forgedMoved);
        courses.put("search_path hijack", HijackCourses::searchPath);
        courses.put("temporary types hijack", HijackCourses::temporaryTypes);
        courses.put("temporary types hijack, strict mode", HijackCourses::temporaryTypesInStrictMode);
        courses.put("replica role", HijackCourses::replicaRole);
        courses.put("schema homeshard is closed", HijackCourses::noRights);
        return courses;
    }

    private static Map<String, Course> strict() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("visit, owned and frozen", VisitCourses::ownedAndFrozen);
        courses.put("visit, read only", VisitCourses::readOnly);
        courses.put("visit, moved", VisitCourses::moved);
        courses.put("visit, incoming", VisitCourses::incoming);
        courses.put("visit, unknown and none", VisitCourses::unknown);
        courses.put("visit, other generation", VisitCourses::otherGeneration);
        courses.put("visit, snapshot before the freeze", VisitCourses::snapshotBefore);
        courses.put("enter fences", EnterCourses::fences);
        courses.put("enter, other generation", EnterCourses::otherGeneration);
        courses.put("enter, unknown and none", EnterCourses::noTenant);
        courses.put("enter, snapshot before the freeze", EnterCourses::snapshotBefore);
        courses.put("enter, rolled back to savepoint", EnterCourses::rolledBack);
        courses.replaceAll((name, course) -> VisitCourses.strict(course));
        return courses;
    }
}
