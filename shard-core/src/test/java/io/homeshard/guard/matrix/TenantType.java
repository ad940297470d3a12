package io.homeshard.guard.matrix;

import java.util.Locale;
import java.util.UUID;

/** Types of tenant columns, and how a tenant looks in each. */
enum TenantType {
    TEXT,
    UUID,
    BIGINT,
    CITEXT,
    CHAR8,
    VARCHAR;

    /** The table of the notes whose tenant column has this type. */
    String table() {
        return "shop.note_" + name().toLowerCase(Locale.ROOT);
    }

    /** The tenant with a number. */
    String tenant(long number) {
        return switch (this) {
            case UUID -> new UUID(0, number).toString();
            case BIGINT -> Long.toString(number);
            case CHAR8 -> "c" + number % 1_000_000;
            case TEXT, CITEXT, VARCHAR -> "t" + number;
        };
    }
}
