package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.json.JsonObject;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A report as JSON. */
final class ReportJson {
    private ReportJson() {}

    static Map<String, @Nullable Object> write(MoveReport report) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("move", report.move().toString());
        json.put("tenant", report.tenant().value());
        json.put("source", report.source().value());
        json.put("target", report.target().value());
        json.put("generation", report.generation());
        json.put("outcome", report.outcome().name());
        json.put("rows", report.rows());
        json.put("bytes", report.bytes());
        json.put("freezeMillis", report.freezeMillis());
        json.put("reason", report.reason());
        List<Object> timings = new ArrayList<>();
        for (PhaseTiming timing : report.phases()) {
            timings.add(
                    Map.of("phase", timing.phase().name(), "at", timing.at().toString(), "millis", timing.millis()));
        }
        json.put("phases", timings);
        json.put("tables", report.tables().stream().map(TableJson::write).toList());
        return json;
    }

    static MoveReport read(JsonObject json) {
        MoveReport report = new MoveReport(
                UUID.fromString(json.text("move")),
                TenantId.of(json.text("tenant")),
                ShardId.of(json.text("source")),
                ShardId.of(json.text("target")),
                json.number("generation").longValueExact(),
                MoveReport.Outcome.valueOf(json.text("outcome")),
                json.objects("phases").stream().map(ReportJson::timing).toList(),
                json.objects("tables").stream().map(TableJson::read).toList(),
                json.integerOrNull("freezeMillis"),
                json.textOrNull("reason"));
        return report;
    }

    private static PhaseTiming timing(JsonObject json) {
        return new PhaseTiming(
                MovePhase.valueOf(json.text("phase")),
                Instant.parse(json.text("at")),
                json.number("millis").longValueExact());
    }
}
