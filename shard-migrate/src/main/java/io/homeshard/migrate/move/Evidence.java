package io.homeshard.migrate.move;

import io.homeshard.migrate.copy.CopiedTable;
import io.homeshard.migrate.copy.CopyReport;
import io.homeshard.migrate.json.Json;
import io.homeshard.migrate.json.JsonObject;
import io.homeshard.migrate.verify.CheckAnswer;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was copied and compared, in the form that the journal keeps with the phase VERIFIED, or with a flip that was done
 * again.
 *
 * @param tables each table
 * @param checks what both shards answered to the application's checks
 * @param fingerprint of the schema; the flip demands it of both shards
 */
record Evidence(List<TableReport> tables, List<CheckAnswer> checks, String fingerprint) {
    /** Nothing was compared. */
    static final Evidence NONE = new Evidence(List.of(), List.of(), "");

    static Evidence of(CopyReport copied, Comparison comparison, String fingerprint) {
        List<TableReport> tables = new ArrayList<>();
        for (CopiedTable table : copied.tables()) {
            tables.add(new TableReport(
                    table.table(),
                    table.rows(),
                    table.bytes(),
                    digest(comparison.source(), table.table()),
                    digest(comparison.target(), table.table())));
        }
        return new Evidence(tables, comparison.answers(), fingerprint);
    }

    /** After another mover's copy, of which nothing is known but what lies there. */
    static Evidence of(Comparison comparison, String fingerprint) {
        List<TableReport> tables = comparison.source().stream()
                .map(source -> new TableReport(
                        source.table(), source.rows(), 0, source, digest(comparison.target(), source.table())))
                .toList();
        return new Evidence(tables, comparison.answers(), fingerprint);
    }

    String toJson() {
        return Json.write(Map.of(
                "tables",
                tables.stream().map(TableJson::write).toList(),
                "checks",
                checks.stream().map(Evidence::check).toList(),
                "fingerprint",
                fingerprint));
    }

    /** Reads the detail of a step. */
    static Evidence read(String detail) {
        JsonObject json = JsonObject.parse(detail);
        return new Evidence(
                json.objects("tables").stream().map(TableJson::read).toList(), checks(json), json.text("fingerprint"));
    }

    static Map<String, Object> check(CheckAnswer answer) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", answer.check().name());
        json.put("sql", answer.check().sql());
        json.put("rows", answer.rows());
        json.put("high", answer.high().toPlainString());
        json.put("low", answer.low().toPlainString());
        return json;
    }

    static List<CheckAnswer> checks(JsonObject json) {
        return json.objects("checks").stream()
                .map(check -> new CheckAnswer(
                        new MoveCheck(check.text("name"), check.text("sql")),
                        check.number("rows").longValueExact(),
                        check.number("high"),
                        check.number("low")))
                .toList();
    }

    private static TableDigest digest(List<TableDigest> digests, TableName table) {
        return digests.stream()
                .filter(digest -> digest.table().equals(table))
                .findFirst()
                .orElseThrow(() -> new MoveStopped("table " + table + " - was copied and not compared"));
    }
}
