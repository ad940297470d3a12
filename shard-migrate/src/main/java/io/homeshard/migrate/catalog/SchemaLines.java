package io.homeshard.migrate.catalog;

import io.homeshard.migrate.catalog.Finding.Severity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * All that the tenant and reference tables of a shard are made of, line by line. Immutable and thread-safe.
 *
 * @param lines the lines, in no particular order
 */
public record SchemaLines(List<SchemaLine> lines) {
    /** Of a shard without tables. */
    public static final SchemaLines NONE = new SchemaLines(List.of());

    /** Keeps its own copy of the list. */
    public SchemaLines {
        lines = List.copyOf(lines);
    }

    /**
     * One value of all lines whose difference would be an error: equal on two shards exactly when those are equal.
     *
     * @return SHA-256 in hexadecimal; empty when there are no lines at all
     */
    public String fingerprint() {
        if (lines.isEmpty()) {
            return "";
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            lines.stream()
                    .filter(line -> line.kind().severity() == Severity.ERROR)
                    .map(SchemaLine::canonical)
                    .sorted()
                    .forEach(line -> {
                        digest.update(line.getBytes(StandardCharsets.UTF_8));
                        digest.update((byte) '\n');
                    });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
