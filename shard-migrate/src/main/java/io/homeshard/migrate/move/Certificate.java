package io.homeshard.migrate.move;

import io.homeshard.migrate.json.Json;
import io.homeshard.migrate.json.JsonObject;
import io.homeshard.migrate.verify.CheckAnswer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of a finished move: what moved, when, by which version of the library, and what was compared. The directory
 * keeps it, hash-chained to the one before of the same tenant; {@link #toJson} is for keeping it elsewhere too, so that
 * a later change of the directory shows. Immutable. Holds sums of numeric columns, and no other values of the tenant.
 *
 * @param report the move as it was when the certificate was made: phases with their times, and for each table the digests
 *     of both sides, numbers of rows and sums
 * @param version version of the library that made the certificate
 * @param sourceFingerprint of the schema of the source when the tenant moved
 * @param targetFingerprint of the schema of the target
 * @param checks what both shards answered to the application's checks
 * @param previous hash of the certificate before, or null when this is the tenant's first
 */
public record Certificate(
        MoveReport report,
        String version,
        String sourceFingerprint,
        String targetFingerprint,
        List<CheckAnswer> checks,
        @Nullable String previous) {
    /** Keeps its own copy of the list. */
    public Certificate {
        checks = List.copyOf(checks);
    }

    /**
     * Reads what {@link #toJson} wrote, byte for byte: a certificate in which anything was changed is refused, a blank
     * as well as a digit. That it is the one that the directory keeps, and that the tenant's old rows are still as it
     * says, is for {@code TenantMover.recheck} to find.
     *
     * @param json the text
     * @return the certificate
     * @throws IllegalArgumentException when it is none, or was altered
     */
    public static Certificate parse(String json) {
        JsonObject object = JsonObject.parse(json);
        Certificate certificate = read(object);
        if (!certificate.toJson().equals(json)) {
            throw new IllegalArgumentException("certificate of move "
                    + certificate.report().move() + " - was altered: it is not what its hash stands for");
        }
        return certificate;
    }

    /** Reads the text that was hashed. */
    static Certificate ofBody(String body) {
        Certificate certificate = read(JsonObject.parse(body));
        if (!certificate.body().equals(body)) {
            throw new IllegalArgumentException("certificate of move "
                    + certificate.report().move() + " - is not in the form in which certificates are written");
        }
        return certificate;
    }

    private static Certificate read(JsonObject json) {
        JsonObject fingerprints = json.object("fingerprints");
        return new Certificate(
                ReportJson.read(json.object("move")),
                json.text("version"),
                fingerprints.text("source"),
                fingerprints.text("target"),
                Evidence.checks(json),
                json.textOrNull("previous"));
    }

    /**
     * SHA-256 over the certificate as canonical JSON without this hash: UTF-8, members in the order of their names, no
     * blanks.
     *
     * @return 64 hexadecimal digits
     */
    public String hash() {
        return hash(body());
    }

    static String hash(String body) {
        try {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * The certificate with its hash, for {@link #parse}.
     *
     * @return a JSON object in one line
     */
    public String toJson() {
        Map<String, @Nullable Object> json = members();
        json.put("hash", hash());
        return Json.canonical(json);
    }

    /** What is hashed. */
    String body() {
        return Json.canonical(members());
    }

    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> json = new TreeMap<>();
        json.put("move", ReportJson.write(report));
        json.put("version", version);
        json.put("fingerprints", Map.of("source", sourceFingerprint, "target", targetFingerprint));
        json.put("checks", checks.stream().map(Evidence::check).toList());
        json.put("previous", previous);
        return json;
    }
}
