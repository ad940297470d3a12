package io.homeshard.migrate.move;

import io.homeshard.migrate.json.JsonObject;
import io.homeshard.migrate.verify.BucketDigest;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.TableName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was copied and compared of a table, as JSON. Both sides are written although they are equal, as evidence; the
 * buckets, which are many, only once.
 */
final class TableJson {
    private TableJson() {}

    static Map<String, Object> write(TableReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", report.table().schema());
        json.put("table", report.table().name());
        json.put("rows", report.rows());
        json.put("bytes", report.bytes());
        json.put("columns", report.source().columns());
        json.put(
                "buckets",
                report.source().buckets().stream().map(TableJson::bucket).toList());
        json.put("source", digest(report.source()));
        json.put("target", digest(report.target()));
        return json;
    }

    private static List<Object> bucket(BucketDigest bucket) {
        return List.of(
                bucket.bucket(),
                bucket.rows(),
                bucket.high().toPlainString(),
                bucket.low().toPlainString());
    }

    private static Map<String, Object> digest(TableDigest digest) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", digest.rows());
        json.put("high", digest.high().toPlainString());
        json.put("low", digest.low().toPlainString());
        Map<String, Object> sums = new LinkedHashMap<>();
        digest.sums().forEach((column, sum) -> sums.put(column, sum.toPlainString()));
        json.put("sums", sums);
        return json;
    }

    static TableReport read(JsonObject json) {
        TableName name = new TableName(json.text("schema"), json.text("table"));
        Map<String, String> columns = new TreeMap<>();
        JsonObject types = json.object("columns");
        types.names().forEach(column -> columns.put(column, types.text(column)));
        List<BucketDigest> buckets = new ArrayList<>();
        for (Object item : json.list("buckets")) {
            if (!(item instanceof List<?> b) || b.size() != 4) {
                throw new IllegalArgumentException("a bucket must have four members");
            }
            buckets.add(new BucketDigest(
                    JsonObject.number(b.get(0)).intValueExact(),
                    JsonObject.number(b.get(1)).longValueExact(),
                    JsonObject.number(b.get(2)),
                    JsonObject.number(b.get(3))));
        }
        return new TableReport(
                name,
                json.number("rows").longValueExact(),
                json.number("bytes").longValueExact(),
                digest(name, columns, buckets, json.object("source")),
                digest(name, columns, buckets, json.object("target")));
    }

    private static TableDigest digest(
            TableName table, Map<String, String> columns, List<BucketDigest> buckets, JsonObject json) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        JsonObject written = json.object("sums");
        written.names().forEach(column -> sums.put(column, written.number(column)));
        TableDigest digest = new TableDigest(table, columns, buckets, sums);
        if (json.number("rows").longValueExact() != digest.rows()
                || json.number("high").compareTo(digest.high()) != 0
                || json.number("low").compareTo(digest.low()) != 0) {
            throw new IllegalArgumentException("digest of table " + table + " is not the sum of its buckets");
        }
        return digest;
    }
}
