package io.homeshard.migrate.move;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this library, as the build wrote it down. */
final class LibraryVersion {
    private static final String RESOURCE = "library.properties";

    private LibraryVersion() {}

    static String read() {
        Properties properties = new Properties();
        try (InputStream in = LibraryVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " - is missing in the library");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
