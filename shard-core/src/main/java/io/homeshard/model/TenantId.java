package io.homeshard.model;

import java.text.Normalizer;
import java.util.UUID;

/**
 * Name of a tenant, the unit of placement.
 *
 * <p>1 to {@value #MAX_LENGTH} characters (code points), no control characters, no blank at either end, well-formed
 * UTF-16 and in Unicode normal form C. Compared byte by byte, so case is significant. A value outside these rules is
 * refused, never mended: two spellings that were mended into one would be two tenants in some other system. Immutable
 * and thread-safe.
 *
 * @param value the name as it stands in the tenant column
 */
public record TenantId(String value) {
    /** Longest name, in code points. */
    public static final int MAX_LENGTH = 128;

    /**
     * Checks the rules above.
     *
     * @throws IllegalArgumentException when the value breaks one; the message names the rule, not the value
     */
    public TenantId {
        int length = value.codePointCount(0, value.length());
        if (length < 1 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("tenantId must have 1 to " + MAX_LENGTH + " characters, had " + length);
        }
        value.codePoints().forEach(TenantId::refuseUnfit);
        if (isBlank(value.codePointAt(0)) || isBlank(value.codePointBefore(value.length()))) {
            throw new IllegalArgumentException("tenantId must not begin or end with a blank");
        }
        if (!Normalizer.isNormalized(value, Normalizer.Form.NFC)) {
            throw new IllegalArgumentException("tenantId must be in Unicode normal form C");
        }
    }

    /**
     * A tenant by its name.
     *
     * @param value the name
     * @return the tenant id
     * @throws IllegalArgumentException when the name breaks a rule
     */
    public static TenantId of(String value) {
        return new TenantId(value);
    }

    /**
     * A tenant whose column is a {@code uuid}.
     *
     * @param value the uuid
     * @return its lower-case form, which is what PostgreSQL prints
     */
    public static TenantId of(UUID value) {
        return new TenantId(value.toString());
    }

    /**
     * A tenant whose column is an integer.
     *
     * @param value the number
     * @return its plain decimal form
     */
    public static TenantId of(long value) {
        return new TenantId(Long.toString(value));
    }

    private static void refuseUnfit(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR) {
            throw new IllegalArgumentException("tenantId must not contain control characters");
        }
        if (type == Character.SURROGATE) {
            throw new IllegalArgumentException("tenantId must be well-formed, had an unpaired surrogate");
        }
    }

    private static boolean isBlank(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    @Override
    public String toString() {
        return value;
    }
}
