package io.homeshard.migrate.move;

import java.util.List;

/**
 * A fault of tables {@code app.f} and {@code app.g}, and what a plan must say of it.
 *
 * @param name of the case
 * @param ddl run on both shards before the guard is installed
 * @param source run on the source then
 * @param target run on the target then
 * @param expected findings, each as severity, name, shard, table and column
 */
record PlantedFault(String name, String ddl, String source, String target, List<String> expected) {
    static PlantedFault of(String name, String ddl, String source, String target, String... expected) {
        return new PlantedFault(name, ddl, source, target, List.of(expected));
    }

    @Override
    public String toString() {
        return name;
    }
}
