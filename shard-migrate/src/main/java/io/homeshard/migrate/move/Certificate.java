package io.homeshard.migrate.move;

import io.homeshard.migrate.copy.CopiedTable;
import io.homeshard.migrate.copy.CopyReport;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.TableName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was copied and compared, in the form that the journal keeps with the phase VERIFIED. */
final class Certificate {
    private Certificate() {}

    static Map<String, Object> of(CopyReport copied, Comparison comparison) {
        List<Map<String, Object>> tables = new ArrayList<>();
        for (CopiedTable table : copied.tables()) {
            tables.add(table(new TableReport(
                    table.table(),
                    table.rows(),
                    table.bytes(),
                    digest(comparison.source(), table.table()),
                    digest(comparison.target(), table.table()))));
        }
        return Map.of("tables", tables);
    }

    static Map<String, Object> table(TableReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", report.table().schema());
        json.put("table", report.table().name());
        json.put("rows", report.rows());
        json.put("bytes", report.bytes());
        json.put("source", digestJson(report.source()));
        json.put("target", digestJson(report.target()));
        return json;
    }

    /** Reads the detail of the step VERIFIED. */
    static List<TableReport> read(String detail) {
        List<TableReport> tables = new ArrayList<>();
        for (Object item : list(JsonReader.object(detail).get("tables"))) {
            Map<?, ?> json = map(item);
            TableName name = new TableName(text(json.get("schema")), text(json.get("table")));
            tables.add(new TableReport(
                    name,
                    number(json.get("rows")).longValueExact(),
                    number(json.get("bytes")).longValueExact(),
                    digest(name, map(json.get("source"))),
                    digest(name, map(json.get("target")))));
        }
        return tables;
    }

    private static TableDigest digest(List<TableDigest> digests, TableName table) {
        return digests.stream()
                .filter(digest -> digest.table().equals(table))
                .findFirst()
                .orElseThrow(() -> new MoveStopped("table " + table + " - was copied and not compared"));
    }

    private static Map<String, Object> digestJson(TableDigest digest) {
        Map<String, Object> sums = new LinkedHashMap<>();
        digest.sums().forEach((column, sum) -> sums.put(column, sum.toPlainString()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", digest.rows());
        json.put("high", digest.high().toPlainString());
        json.put("low", digest.low().toPlainString());
        json.put("sums", sums);
        return json;
    }

    private static TableDigest digest(TableName table, Map<?, ?> json) {
        Map<String, BigDecimal> sums = new LinkedHashMap<>();
        map(json.get("sums")).forEach((column, sum) -> sums.put(text(column), number(sum)));
        return new TableDigest(
                table,
                number(json.get("rows")).longValueExact(),
                number(json.get("high")),
                number(json.get("low")),
                sums);
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String text(@Nullable Object value) {
        return String.valueOf(value);
    }

    private static BigDecimal number(@Nullable Object value) {
        return value instanceof BigDecimal number ? number : new BigDecimal(text(value));
    }
}
