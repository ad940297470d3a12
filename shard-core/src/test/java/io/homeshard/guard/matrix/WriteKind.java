package io.homeshard.guard.matrix;

import java.util.List;

/**
 * A way to write rows of tenant {a}, with {b} as a second tenant that stands by.
 *
 * @param name what the report calls it
 * @param form how the statement is sent
 * @param statement SQL with the tenants as {a} and {b}
 * @param copyData rows of a COPY, else empty
 * @param seed SQL that puts the rows there that the statement needs, or empty
 * @param session SQL that prepares the writer's session, or empty
 * @param tables tables whose rows of {a} the statement changes
 * @param type type of the tenant column
 */
record WriteKind(
        String name,
        Form form,
        String statement,
        String copyData,
        String seed,
        String session,
        List<String> tables,
        TenantType type) {
    /** How a statement is sent. */
    enum Form {
        /** One statement, which also PREPARE and PL/pgSQL take. */
        STATEMENT,
        /** Several statements. */
        SCRIPT,
        /** COPY FROM STDIN. */
        COPY
    }

    WriteKind {
        tables = List.copyOf(tables);
    }

    static WriteKind statement(String name, String statement) {
        return of(name, Form.STATEMENT, statement, "");
    }

    static WriteKind script(String name, String statements) {
        return of(name, Form.SCRIPT, statements, "");
    }

    static WriteKind copy(String name, String statement, String data) {
        return of(name, Form.COPY, statement, data);
    }

    private static WriteKind of(String name, Form form, String statement, String data) {
        TenantType type = TenantType.TEXT;
        return new WriteKind(name, form, statement, data, "", "", List.of(type.table()), type);
    }

    WriteKind seed(String sql) {
        return new WriteKind(name, form, statement, copyData, sql, session, tables, type);
    }

    WriteKind session(String sql) {
        return new WriteKind(name, form, statement, copyData, seed, sql, tables, type);
    }

    WriteKind table(String table) {
        return new WriteKind(name, form, statement, copyData, seed, session, List.of(table), type);
    }

    WriteKind type(TenantType other) {
        return new WriteKind(name, form, statement, copyData, seed, session, List.of(other.table()), other);
    }

    /** The same writes on tables that are declared as written in bulk. */
    WriteKind inBulk() {
        return new WriteKind(
                "bulk: " + name,
                form,
                bulk(statement),
                copyData,
                bulk(seed),
                session,
                tables.stream().map(WriteKind::bulk).toList(),
                type);
    }

    private static String bulk(String sql) {
        return sql.replace("shop.note_text", "shop.bulk_text").replace("shop.part", "shop.bulk");
    }

    /** The statement as PL/pgSQL wants it. */
    String inBlock() {
        return statement.startsWith("SELECT ") ? "PERFORM " + statement.substring("SELECT ".length()) : statement;
    }

    @Override
    public String toString() {
        return name;
    }
}
