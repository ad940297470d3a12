package io.homeshard.migrate.gather;

import io.homeshard.migrate.json.Json;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.ShardId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON of a report: names, counts and sums of hashes. */
final class GatherJson {
    private GatherJson() {}

    /** What was found, before anything is done about it. */
    static String found(GatherReport report) {
        return Json.write(Map.of("found", members(report)));
    }

    static String write(GatherReport report) {
        return Json.write(members(report));
    }

    private static Map<String, Object> members(GatherReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("handling", report.handling().name());
        json.put("strays", report.strays().stream().map(GatherJson::stray).toList());
        json.put("skipped", skipped(report.skipped()));
        json.put("homeBefore", digests(report.homeBefore()));
        json.put("homeAfter", digests(report.homeAfter()));
        return json;
    }

    private static Map<String, Object> stray(StrayTable stray) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("shard", stray.shard().value());
        json.put("table", stray.table().toString());
        json.put("rows", stray.rows());
        json.put("high", stray.high().toPlainString());
        json.put("low", stray.low().toPlainString());
        json.put("identical", stray.identical());
        json.put("differing", stray.differing());
        json.put("missing", stray.missing());
        json.put("broughtHome", stray.broughtHome());
        json.put("putAside", stray.putAside());
        return json;
    }

    private static Map<String, Object> skipped(Map<ShardId, String> skipped) {
        Map<String, Object> json = new LinkedHashMap<>();
        skipped.forEach((shard, why) -> json.put(shard.value(), why));
        return json;
    }

    private static List<Map<String, Object>> digests(List<TableDigest> digests) {
        return digests.stream().map(GatherJson::digest).toList();
    }

    private static Map<String, Object> digest(TableDigest digest) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("table", digest.table().toString());
        json.put("rows", digest.rows());
        json.put("high", digest.high().toPlainString());
        json.put("low", digest.low().toPlainString());
        return json;
    }
}
