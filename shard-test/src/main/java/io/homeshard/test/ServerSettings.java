package io.homeshard.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings of every server that this module starts. */
final class ServerSettings {
    /**
     * Nothing here weakens what a commit means to a client: {@code synchronous_commit} stays on. Only a crash of the
     * whole machine could lose data, and then the tests are lost too. The zone is off by half an hour, so that a time
     * stored without its zone shows.
     */
    private static final Map<String, String> SETTINGS = settings();

    private ServerSettings() {}

    static Map<String, String> all() {
        return SETTINGS;
    }

    /** The settings as arguments of the {@code postgres} program. */
    static List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        SETTINGS.forEach((name, value) -> {
            arguments.add("-c");
            arguments.add(name + "=" + value);
        });
        return List.copyOf(arguments);
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fsync", "off");
        settings.put("full_page_writes", "off");
        settings.put("synchronous_commit", "on");
        settings.put("wal_level", "logical");
        settings.put("max_prepared_transactions", "64");
        settings.put("max_connections", "200");
        settings.put("shared_buffers", "32MB");
        settings.put("TimeZone", "Asia/Kolkata");
        return Collections.unmodifiableMap(settings);
    }
}
