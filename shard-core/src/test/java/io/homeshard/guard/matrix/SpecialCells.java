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
        Stream<Cell> levelled = Stream.of(Level.values())
                .flatMap(level ->
                        courses().entrySet().stream().map(entry -> cell(level, entry.getKey(), entry.getValue())));
        Stream<Cell> single = Stream.of(
                cell(Level.READ_COMMITTED, "procedure commits between two writes", CursorCourses::procedure),
                cell(Level.READ_COMMITTED, "read uncommitted", CursorCourses::readUncommitted));
        return Stream.concat(levelled, single).toList();
    }

    /** Those that a candidate has to pass. */
    static List<Cell> of(Candidate candidate) {
        return all();
    }

    private static Cell cell(Level level, String name, Course course) {
        return new Cell(WriteKinds.INSERT, level, name, course);
    }

    private static Map<String, Course> courses() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("cursor, WHERE CURRENT OF", CursorCourses::currentOf);
        courses.put("cursor WITH HOLD", CursorCourses::withHold);
        courses.put("deferred trigger fires at commit", CursorCourses::deferredAtCommit);
        courses.put("function with SET clause, rollback to savepoint", CursorCourses::functionRolledBack);
        courses.put("function with SET clause keeps its fence", CursorCourses::functionFence);
        courses.put("null tenant", ValueCourses::nullTenant);
        courses.put("null tenant by update", ValueCourses::nullTenantByUpdate);
        courses.put("empty tenant", ValueCourses::emptyTenant);
        courses.put("truncate", ValueCourses.truncate("shop.note_text"));
        courses.put("truncate partitioned root", ValueCourses.truncate("shop.part"));
        courses.put("truncate leaf", ValueCourses.truncate("shop.part1"));
        courses.put("truncate attached leaf", ValueCourses.truncate("shop.part2"));
        courses.put("truncate cascade from foreign key parent", ValueCourses.truncate("shop.parent CASCADE"));
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
}
