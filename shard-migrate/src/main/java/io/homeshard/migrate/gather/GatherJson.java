package io.homeshard.migrate.gather;

import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.model.ShardId;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JSON of a report: names, counts and sums of hashes. */
final class GatherJson {
    private GatherJson() {}

    static String strays(List<StrayTable> strays) {
        return strays.stream()
                .map(s -> "{\"shard\":" + text(s.shard().value()) + ",\"table\":"
                        + text(s.table().toString())
                        + ",\"rows\":" + s.rows() + ",\"high\":" + text(s.high().toPlainString()) + ",\"low\":"
                        + text(s.low().toPlainString()) + ",\"identical\":" + s.identical() + ",\"differing\":"
                        + s.differing() + ",\"missing\":" + s.missing() + ",\"broughtHome\":" + s.broughtHome()
                        + ",\"putAside\":" + s.putAside() + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    static String digests(List<TableDigest> digests) {
        return digests.stream()
                .map(d -> "{\"table\":" + text(d.table().toString()) + ",\"rows\":" + d.rows() + ",\"high\":"
                        + text(d.high().toPlainString()) + ",\"low\":"
                        + text(d.low().toPlainString()) + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    static String skipped(Map<ShardId, String> skipped) {
        return skipped.entrySet().stream()
                .map(e -> text(e.getKey().value()) + ":" + text(e.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    static String text(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
