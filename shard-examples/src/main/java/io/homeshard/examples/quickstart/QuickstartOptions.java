package io.homeshard.examples.quickstart;

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
            throw new IllegalArgumentException("quickstart.tenants must be 3 to 100000, was " + tenants);
        }
        if (seconds < 1 || seconds > 3600) {
            throw new IllegalArgumentException("quickstart.seconds must be 1 to 3600, was " + seconds);
        }
    }

    static QuickstartOptions fromSystemProperties() {
        return new QuickstartOptions(
                Integer.getInteger("quickstart.tenants", 200),
                Integer.getInteger("quickstart.seconds", 10),
                Long.getLong("quickstart.seed", 42));
    }
}
