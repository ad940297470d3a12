package io.homeshard.guard.bench;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What the parts have in common.
 *
 * @param shop the databases
 * @param size how much is measured
 * @param folder of the raw data
 * @param major of the server's version, part of the names of files
 * @param since when it began, on the clock of {@link System#nanoTime}
 */
record Bench(Shop shop, Size size, Path folder, String major, long since) {
    /** A file of raw data, started anew. */
    Csv csv(String name, String... columns) {
        return Csv.create(folder.resolve(name + "-" + major + ".csv"), columns);
    }

    /** Says how far it has come. */
    void progress(String what) {
        Duration time = Duration.ofNanos(System.nanoTime() - since);
        System.out.printf("bench %d:%02d %s%n", time.toMinutes(), time.toSecondsPart(), what);
    }
}
