package io.homeshard.examples.quickstart;

import java.util.Properties;

/**
 * Options of a run, from system properties {@code quickstart.*}.
 *
 * @param tenants number of tenants, 3 to 100 000
 * @param seconds least duration of the load, 1 to 3600
 * @param seed seed of sizes and load
 */
record QuickstartOptions(int tenants, int seconds, long seed) {
    QuickstartOptions {
        if (tenants < 3 || tenants > 100_000) {
            throw new IllegalArgumentException("quickstart.tenants must be 3 to 100000, was '" + tenants + "'");
        }
        if (seconds < 1 || seconds > 3600) {
            throw new IllegalArgumentException("quickstart.seconds must be 1 to 3600, was '" + seconds + "'");
        }
    }

    static QuickstartOptions from(Properties properties) {
        return new QuickstartOptions(
                (int) number(properties, "quickstart.tenants", 200, "3 to 100000"),
                (int) number(properties, "quickstart.seconds", 10, "1 to 3600"),
                number(properties, "quickstart.seed", 42, "a whole number"));
    }

    /** Not {@code Integer.getInteger}, which takes the default for what is no number. */
    private static long number(Properties properties, String name, long otherwise, String allowed) {
        String text = properties.getProperty(name);
        if (text == null) {
            return otherwise;
        }
        try {
            return name.equals("quickstart.seed") ? Long.parseLong(text.strip()) : Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be " + allowed + ", was '" + text + "'");
        }
    }
}
