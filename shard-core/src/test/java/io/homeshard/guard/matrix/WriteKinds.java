package io.homeshard.guard.matrix;

import static io.homeshard.guard.matrix.WriteKind.copy;
import static io.homeshard.guard.matrix.WriteKind.script;
import static io.homeshard.guard.matrix.WriteKind.statement;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The kinds of writes. */
final class WriteKinds {
    /** The plainest of all, for cells that are about something else. */
    static final WriteKind INSERT = statement("insert", "INSERT INTO shop.note_text (tenant_id) VALUES ('{a}')");

    private static final String THREE_NOTES =
            "INSERT INTO shop.note_text (tenant_id, k) VALUES ('{a}', '{a}k'), ('{a}', NULL), ('{b}', '{b}k')";
    private static final String FIVE_OF_A =
            "INSERT INTO shop.note_text (tenant_id) SELECT '{a}' FROM generate_series(1, 5)";
    private static final String FIVE_OF_B =
            "INSERT INTO shop.note_text (tenant_id) SELECT '{b}' FROM generate_series(1, 5)";
    private static final String BOTH_PARTITIONS = "INSERT INTO shop.part (tenant_id, p) VALUES ('{a}', 1), ('{a}', 2)";
    private static final String FIVE_PARTS =
            "INSERT INTO shop.part (tenant_id, p) SELECT '{%s}', 1 + i %% 2 FROM generate_series(1, 5) i";
    private static final String MEMOS = "INSERT INTO shop.memo (tenant_id) SELECT '{a}' FROM generate_series(1, 5);"
            + " INSERT INTO shop.memo_old (tenant_id) SELECT '{a}' FROM generate_series(1, 5)";
    private static final String FIVE_CHILDREN = """
            WITH p AS (INSERT INTO shop.parent SELECT nextval('shop.parent_id_seq') FROM generate_series(1, 5) RETURNING id)
            INSERT INTO shop.child (tenant_id, parent) SELECT '{a}', id FROM p""";
    private static final String FIVE_LABELLED = """
            WITH l AS (INSERT INTO shop.label SELECT nextval('shop.label_id_seq') FROM generate_series(1, 5) RETURNING id)
            INSERT INTO shop.child (tenant_id, label) SELECT '{a}', id FROM l""";

    private WriteKinds() {}

    static List<WriteKind> all() {
        return Stream.of(
                        plain(),
                        merging(),
                        twoTenants(),
                        partitions(),
                        changedParts(),
                        inheritance(),
                        indirect(),
                        types())
                .flatMap(List::stream)
                .toList();
    }

    /** Those that a guard for bulk must judge as well. */
    static List<WriteKind> inBulk() {
        return Stream.of(plain(), merging(), twoTenants(), partitions(), changedParts())
                .flatMap(List::stream)
                .map(WriteKind::inBulk)
                .toList();
    }

    static WriteKind named(String name) {
        return all().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    private static List<WriteKind> plain() {
        return List.of(
                INSERT,
                statement("update", "UPDATE shop.note_text SET v = v + 1 WHERE tenant_id = '{a}'")
                        .seed(THREE_NOTES),
                statement(
                                "delete",
                                "DELETE FROM shop.note_text WHERE id = (SELECT min(id) FROM shop.note_text WHERE tenant_id = '{a}')")
                        .seed(FIVE_OF_A),
                copy("copy", "COPY shop.note_text (tenant_id, v) FROM STDIN", "{a}\t1\n{a}\t2\n{a}\t3\n"),
                statement(
                        "insert-select",
                        "INSERT INTO shop.note_text (tenant_id) SELECT '{a}' FROM generate_series(1, 50)"));
    }

    private static List<WriteKind> merging() {
        return List.of(
                statement(
                                "upsert",
                                "INSERT INTO shop.note_text AS n (tenant_id, k) VALUES ('{a}', '{a}k') ON CONFLICT (k) DO UPDATE SET v = n.v + 1")
                        .seed(THREE_NOTES),
                statement(
                                "upsert hits another tenant's row",
                                "INSERT INTO shop.note_text AS n (tenant_id, k) VALUES ('{b}', '{a}k') ON CONFLICT (k) DO UPDATE SET v = n.v + 1")
                        .seed(THREE_NOTES),
                statement("merge", """
                                MERGE INTO shop.note_text n USING (VALUES ('{a}', '{a}k'), ('{a}', '{a}n' || random()::text)) s (a, k)
                                ON n.k = s.k WHEN MATCHED THEN UPDATE SET v = n.v + 1
                                WHEN NOT MATCHED THEN INSERT (tenant_id, k) VALUES (s.a, s.k)""").seed(THREE_NOTES),
                statement("merge deletes", """
                                MERGE INTO shop.note_text n USING (SELECT min(id) AS id FROM shop.note_text WHERE tenant_id = '{a}') s
                                ON n.id = s.id WHEN MATCHED THEN DELETE""").seed(FIVE_OF_A));
    }

    private static List<WriteKind> twoTenants() {
        return List.of(
                statement(
                        "rows of A, B",
                        "INSERT INTO shop.note_text (tenant_id) VALUES ('{a}'), ('{b}'), ('{a}'), ('{b}')"),
                statement("rows of B, A", "INSERT INTO shop.note_text (tenant_id) VALUES ('{b}'), ('{b}'), ('{a}')"),
                statement("update both", "UPDATE shop.note_text SET v = v + 1 WHERE tenant_id IN ('{a}', '{b}')")
                        .seed(THREE_NOTES),
                statement(
                                "tenant A to B",
                                "UPDATE shop.note_text SET tenant_id = '{b}' WHERE id = (SELECT min(id) FROM shop.note_text WHERE tenant_id = '{a}')")
                        .seed(FIVE_OF_A),
                statement(
                                "tenant B to A",
                                "UPDATE shop.note_text SET tenant_id = '{a}' WHERE id = (SELECT min(id) FROM shop.note_text WHERE tenant_id = '{b}')")
                        .seed(FIVE_OF_B),
                statement("cte", """
                                WITH d AS (UPDATE shop.note_text SET v = v + 1 WHERE tenant_id = '{b}' RETURNING 1)
                                INSERT INTO shop.note_text (tenant_id) SELECT '{a}'""").seed(THREE_NOTES));
    }

    private static List<WriteKind> partitions() {
        return Stream.of(
                        statement("partition root", BOTH_PARTITIONS),
                        statement("partition leaf", "INSERT INTO shop.part1 (tenant_id, p) VALUES ('{a}', 1)"),
                        statement(
                                "partition leaf, other column order",
                                "INSERT INTO shop.part2 (tenant_id, p) VALUES ('{a}', 2)"),
                        statement("partition update", "UPDATE shop.part SET v = v + 1 WHERE tenant_id = '{a}'")
                                .seed(BOTH_PARTITIONS),
                        statement(
                                        "partition row movement",
                                        "UPDATE shop.part SET p = 3 - p, v = v + 1 WHERE tenant_id = '{a}'")
                                .seed(BOTH_PARTITIONS),
                        statement(
                                        "partition delete from leaf",
                                        "DELETE FROM shop.part2 WHERE id = (SELECT min(id) FROM shop.part2 WHERE tenant_id = '{a}')")
                                .seed(
                                        "INSERT INTO shop.part (tenant_id, p) SELECT '{a}', 2 FROM generate_series(1, 5)"))
                .map(kind -> kind.table("shop.part"))
                .toList();
    }

    /** The tenant of a row in a partition changes. */
    private static List<WriteKind> changedParts() {
        return Stream.of(
                        copy("partition copy", "COPY shop.part (tenant_id, p) FROM STDIN", "{b}\t1\n{a}\t2\n{a}\t1\n"),
                        statement(
                                        "partition tenant A to B",
                                        "UPDATE shop.part SET tenant_id = '{b}' WHERE id = (SELECT min(id) FROM shop.part WHERE tenant_id = '{a}')")
                                .seed(FIVE_PARTS.formatted("a")),
                        statement(
                                        "partition tenant B to A",
                                        "UPDATE shop.part SET tenant_id = '{a}' WHERE id = (SELECT min(id) FROM shop.part WHERE tenant_id = '{b}')")
                                .seed(FIVE_PARTS.formatted("b")),
                        statement(
                                        "partition row movement with change of tenant",
                                        "UPDATE shop.part SET p = 3 - p, tenant_id = '{b}' WHERE id = (SELECT min(id) FROM shop.part WHERE tenant_id = '{a}')")
                                .seed(FIVE_PARTS.formatted("a")),
                        statement(
                                        "partition delete from root",
                                        "DELETE FROM shop.part WHERE id = (SELECT min(id) FROM shop.part WHERE tenant_id = '{a}')")
                                .seed(FIVE_PARTS.formatted("a")))
                .map(kind -> kind.table("shop.part"))
                .toList();
    }

    private static List<WriteKind> inheritance() {
        return Stream.of(
                        statement(
                                "inheritance, insert into child",
                                "INSERT INTO shop.memo_old (tenant_id) VALUES ('{a}')"),
                        statement(
                                        "inheritance, update of child through parent",
                                        "UPDATE shop.memo SET v = v + 1 WHERE tenant_id = '{a}' AND tableoid = 'shop.memo_old'::regclass")
                                .seed(MEMOS),
                        statement(
                                        "inheritance, delete through parent",
                                        "DELETE FROM shop.memo WHERE id = (SELECT max(id) FROM shop.memo WHERE tenant_id = '{a}')")
                                .seed(MEMOS))
                .map(kind -> kind.table("shop.memo"))
                .toList();
    }

    private static List<WriteKind> indirect() {
        return List.of(
                statement(
                                "user trigger aaa changes tenant",
                                "INSERT INTO shop.redirect_aaa (tenant_id, k) VALUES ('{b}', '{a}')")
                        .table("shop.redirect_aaa"),
                statement(
                                "user trigger zzz changes tenant",
                                "INSERT INTO shop.redirect_zzz (tenant_id, k) VALUES ('{b}', '{a}')")
                        .table("shop.redirect_zzz"),
                statement(
                                "fk on delete cascade",
                                "DELETE FROM shop.parent WHERE id = (SELECT max(parent) FROM shop.child WHERE tenant_id = '{a}')")
                        .seed(FIVE_CHILDREN)
                        .table("shop.child"),
                statement(
                                "fk on update cascade",
                                "UPDATE shop.parent SET id = -id WHERE id = (SELECT max(parent) FROM shop.child WHERE tenant_id = '{a}')")
                        .seed(FIVE_CHILDREN)
                        .table("shop.child"),
                statement(
                                "fk on delete set null",
                                "DELETE FROM shop.label WHERE id = (SELECT max(label) FROM shop.child WHERE tenant_id = '{a}')")
                        .seed(FIVE_LABELLED)
                        .table("shop.child"),
                statement("instead-of view", "INSERT INTO shop.note_entry (tenant_id, v) VALUES ('{a}', 1)"),
                statement("updatable view", "UPDATE shop.note_view SET v = v + 1 WHERE tenant_id = '{a}'")
                        .seed(THREE_NOTES),
                statement("row security", "INSERT INTO shop.secured (tenant_id) VALUES ('{a}')")
                        .session("SET app.tenant_id = '{a}'")
                        .table("shop.secured"),
                script(
                                "deferred trigger",
                                "INSERT INTO shop.queue (tenant_id) VALUES ('{a}'); SET CONSTRAINTS ALL IMMEDIATE")
                        .table("shop.late"),
                statement("function with SET clause", "SELECT shop.add_note('{a}')"));
    }

    private static List<WriteKind> types() {
        return Stream.of(TenantType.values())
                .filter(type -> type != TenantType.TEXT)
                .flatMap(type -> Stream.of(insertOf(type), updateOf(type)))
                .toList();
    }

    private static WriteKind insertOf(TenantType type) {
        String name = type.name().toLowerCase(Locale.ROOT) + " insert";
        return statement(name, "INSERT INTO " + type.table() + " (tenant_id) VALUES ('{a}')")
                .type(type);
    }

    private static WriteKind updateOf(TenantType type) {
        String name = type.name().toLowerCase(Locale.ROOT) + " update";
        return statement(name, "UPDATE " + type.table() + " SET v = v + 1 WHERE tenant_id = '{a}'")
                .type(type)
                .seed("INSERT INTO " + type.table() + " (tenant_id) VALUES ('{a}'), ('{b}')");
    }
}
