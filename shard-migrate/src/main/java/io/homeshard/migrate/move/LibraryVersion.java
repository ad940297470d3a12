package io.homeshard.migrate.move;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of this library, as the build wrote it down. Where an application was packed anew without that resource it
 * is {@value #UNKNOWN}: a certificate without the version is worth more than none, and no move fails for it.
 */
final class LibraryVersion {
    static final String UNKNOWN = "unknown";
    private static final Logger log = LoggerFactory.getLogger(LibraryVersion.class);
    private static final String RESOURCE = "library.properties";

    private LibraryVersion() {}

    static String read() {
        return of(LibraryVersion.class.getResourceAsStream(RESOURCE));
    }

    /** The version that a resource tells, which is closed; unknown when it is missing, broken or without one. */
    static String of(@Nullable InputStream resource) {
        Properties properties = new Properties();
        try (InputStream in = resource) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException | IllegalArgumentException e) { // the latter for an escape that is none
            log.warn("resource {} - cannot be read, the version of the library is unknown", RESOURCE, e);
            return UNKNOWN;
        }
        String version = properties.getProperty("version", "").strip();
        if (version.isEmpty()) {
            log.warn("resource {} - is missing or names no version, the version of the library is unknown", RESOURCE);
            return UNKNOWN;
        }
        return version;
    }
}
