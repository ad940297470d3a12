package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keys without the tenant column, in the light of the rows that are there: the values of the tenant's rows are read on
 * the source, some thousands at a time, and looked up on the target by the very index of the key.
 */
final class KeyCollisions implements Check {
    private static final int BATCH = 5_000;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (KeyRule rule : KeyRules.withoutTenant(scene.source())) {
            TenantTable table = scene.source().catalog().tables().stream()
                    .filter(t -> t.name().equals(rule.table()))
                    .findFirst()
                    .orElseThrow();
            findings.add(look(scene, rule, table));
        }
        return findings;
    }

    private static Finding look(Scene scene, KeyRule rule, TenantTable table) throws SQLException {
        Lookup lookup = new Lookup(rule, table, scene.tenant());
        long collisions;
        try {
            collisions = OwnSearchPath.evaluate(scene, source -> lookup.count(scene));
        } catch (ExpressionException e) {
            return e.finding(table.name(), rule.describe());
        }
        return finding(scene, rule, collisions, Generators.overlapping(scene, rule));
    }

    private static Finding finding(Scene scene, KeyRule rule, long collisions, Optional<String> generator) {
        @Nullable String column = rule.parts().size() == 1 ? rule.parts().get(0).column() : null;
        if (collisions > 0) {
            return new Finding(
                    Severity.ERROR,
                    rule.exclusion() ? "exclusion-collision" : "unique-collision",
                    scene.target().shard(),
                    rule.table(),
                    column,
                    rule.describe() + " lacks the tenant column, and rows of other tenants are in the way (rows="
                            + collisions + ")",
                    "put the tenant column into the key, or give the rows of one of the tenants other values");
        }
        if (generator.isPresent()) {
            return new Finding(
                    Severity.ERROR,
                    rule.finding(),
                    scene.target().shard(),
                    rule.table(),
                    column,
                    rule.describe() + " lacks the tenant column; nothing collides now, but " + generator.get(),
                    "put the tenant column into the key, or give each shard values of its own: the same INCREMENT"
                            + " everywhere and another START on each");
        }
        return new Finding(
                Severity.WARNING,
                rule.finding(),
                scene.target().shard(),
                rule.table(),
                column,
                rule.describe() + " lacks the tenant column; nothing collides now",
                UniqueKeys.REMEDY);
    }

    /** Looks the values of one key up. */
    private record Lookup(KeyRule rule, TenantTable table, TenantId tenant) {
        long count(Scene scene) throws SQLException {
            Connection source = scene.source().connection();
            Connection target = scene.target().connection();
            int width = rule.parts().size();
            List<List<@Nullable String>> columns = empty(width);
            long collisions = 0;
            try (var statement = source.prepareStatement(values())) {
                statement.setFetchSize(BATCH);
                Object[] parameters = TenantRows.parameters(tenant);
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        for (int i = 0; i < width; i++) {
                            columns.get(i).add(rows.getString(i + 1));
                        }
                        if (columns.get(0).size() == BATCH) {
                            collisions += collisions(target, columns);
                            columns = empty(width);
                        }
                    }
                }
            }
            return columns.get(0).isEmpty() ? collisions : collisions + collisions(target, columns);
        }

        private static List<List<@Nullable String>> empty(int width) {
            return IntStream.range(0, width)
                    .<List<@Nullable String>>mapToObj(i -> new ArrayList<>())
                    .toList();
        }

        /** The values of the tenant's rows; a null is like nothing, unless the key says otherwise. */
        private String values() {
            String list = rule.parts().stream()
                    .map(part -> "(" + part.expression() + ")::text")
                    .collect(Collectors.joining(", "));
            String present = rule.nullsEqual()
                    ? ""
                    : rule.parts().stream()
                            .map(part -> " AND (" + part.expression() + ") IS NOT NULL")
                            .collect(Collectors.joining());
            return "SELECT " + list + " FROM " + table.from() + " WHERE " + TenantRows.condition(table) + present
                    + within();
        }

        private String within() {
            return rule.predicate() == null ? "" : " AND (" + rule.predicate() + ")";
        }

        private long collisions(Connection target, List<List<@Nullable String>> columns) throws SQLException {
            List<Object> parameters = new ArrayList<>();
            for (List<@Nullable String> column : columns) {
                Array array = target.createArrayOf("text", column.toArray());
                parameters.add(array);
            }
            Collections.addAll(parameters, TenantRows.parameters(tenant));
            return Jdbc.one(target, lookup(), row -> row.getLong(1), parameters.toArray());
        }

        /** A value as its own array element, so that an index serves each; each type reads its own text back. */
        private String lookup() {
            int width = rule.parts().size();
            String arrays = String.join(", ", Collections.nCopies(width, "?::text[]"));
            String names = IntStream.range(0, width).mapToObj(i -> "hs_k" + i).collect(Collectors.joining(", "));
            String alike = IntStream.range(0, width)
                    .mapToObj(i -> alike(rule.parts().get(i), "hs_u.hs_k" + i))
                    .collect(Collectors.joining(" AND "));
            return "SELECT count(*) FROM unnest(" + arrays + ") hs_u (" + names + ") WHERE EXISTS (SELECT FROM "
                    + table.from() + " WHERE " + alike + within() + " AND (" + TenantRows.condition(table)
                    + ") IS NOT TRUE)";
        }

        private String alike(KeyRule.Part part, String value) {
            String cast = "(" + value + ")::" + part.type();
            String one = "(" + part.expression() + ") " + part.operator() + " " + cast;
            return rule.nullsEqual()
                    ? "(" + one + " OR ((" + part.expression() + ") IS NULL AND " + value + " IS NULL))"
                    : one;
        }
    }
}
