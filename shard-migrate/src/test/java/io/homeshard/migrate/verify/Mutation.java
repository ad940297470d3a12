package io.homeshard.migrate.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One kind of damage.
 *
 * @param name of the kind
 * @param table that is damaged
 * @param sql %1$d and %2$d are two different rows, %3$d a bit of sixteen bytes
 * @param ids of the rows that differ afterwards
 */
record Mutation(String name, String table, String sql, BiFunction<Integer, Integer, List<Integer>> ids) {
    private static final BiFunction<Integer, Integer, List<Integer>> FIRST = (a, b) -> List.of(a);
    private static final BiFunction<Integer, Integer, List<Integer>> BOTH = (a, b) -> List.of(a, b);
    private static final String COLUMNS = "tenant_id, id, amount, txt, f, raw, ts, doc, iv, pad";

    /** What a comparison must see. Rows whose id divides by 5 have an empty text, and so on: see the test. */
    static List<Mutation> all() {
        List<Mutation> all = new ArrayList<>();
        all.add(new Mutation("values of two rows swapped", "t", """
                UPDATE app.t a SET raw = b.raw FROM app.t b WHERE a.tenant_id = 't' AND b.tenant_id = 't'
                  AND a.id IN (%1$d, %2$d) AND b.id = %1$d + %2$d - a.id""", BOTH));
        all.add(new Mutation(
                "row twice",
                "loose",
                "INSERT INTO app.loose (%1$s) SELECT %1$s FROM app.loose WHERE tenant_id = 't' AND id = "
                                .formatted(COLUMNS)
                        + "%1$d",
                FIRST));
        all.add(new Mutation("row twice, another missing", "loose", """
                WITH gone AS (DELETE FROM app.loose WHERE tenant_id = 't' AND id = %%2$d)
                INSERT INTO app.loose (%1$s) SELECT %1$s FROM app.loose WHERE tenant_id = 't' AND id = %%1$d""".formatted(COLUMNS), BOTH));
        all.add(of("row missing", "DELETE FROM app.t WHERE tenant_id = 't' AND id = %1$d"));
        all.add(new Mutation(
                "extra row",
                "t",
                "INSERT INTO app.t(tenant_id, id) VALUES ('t', 1000 + %1$d)",
                (a, b) -> List.of(1000 + a)));
        all.add(every(5, "NULL instead of ''", "txt = NULL"));
        all.add(every(7, "1.00 instead of 1.0", "amount = 1.00"));
        all.add(every(3, "0.3 instead of 0.1 + 0.2", "f = 0.3"));
        all.add(every(11, "-0 instead of 0", "f = '-0'"));
        all.add(set("30 days instead of 1 month", "iv = '30 days'"));
        all.add(set("blank at the end", "pad = pad || ' '"));
        all.add(set("one bit of bytes", "raw = set_bit(raw, %3$d, 1 - get_bit(raw, %3$d))"));
        all.add(set("row of another tenant", "tenant_id = 'other2'"));
        all.add(new Mutation(
                "foreign row",
                "t",
                "UPDATE app.t SET tenant_id = 't' WHERE tenant_id = 'other' AND id = 500 + %1$d %% 50",
                (a, b) -> List.of(500 + a % 50)));
        all.add(set("instant off by an hour", "ts = ts + interval '1 hour'"));
        all.add(set("blank in a document", "doc = '{\"i\":%1$d}'"));
        all.add(new Mutation(
                "letter case",
                "t",
                "UPDATE app.t SET txt = upper(txt) WHERE tenant_id = 't' AND id = %1$d / 5 * 5 + 1",
                (a, b) -> List.of(a / 5 * 5 + 1)));
        return all;
    }

    private static Mutation of(String name, String sql) {
        return new Mutation(name, "t", sql, FIRST);
    }

    private static Mutation set(String name, String assignment) {
        return of(name, "UPDATE app.t SET " + assignment + " WHERE tenant_id = 't' AND id = %1$d");
    }

    private static Mutation every(int step, String name, String assignment) {
        return new Mutation(
                name,
                "t",
                "UPDATE app.t SET " + assignment + " WHERE tenant_id = 't' AND id = (%1$d / " + step + " + 1) * "
                        + step,
                (a, b) -> List.of((a / step + 1) * step));
    }
}
