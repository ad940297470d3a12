package io.homeshard.migrate.schema;

import java.util.Arrays;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;

/** The application's own scripts, run as the application has set Flyway up. */
final class ApplicationSchema {
    private final Consumer<FluentConfiguration> setUp;

    ApplicationSchema(Consumer<FluentConfiguration> setUp) {
        this.setUp = setUp;
    }

    /**
     * What the scripts did.
     *
     * @param before version before, or null
     * @param after version afterwards, or null when there are no versioned scripts
     * @param scripts number of scripts that ran
     */
    record Result(@Nullable String before, @Nullable String after, int scripts) {}

    Result migrate(DataSource database) {
        // a mistyped location would leave a shard without tables, and nothing would say so
        FluentConfiguration configuration = Flyway.configure().failOnMissingLocations(true);
        setUp.accept(configuration);
        refuseOurs(configuration);
        MigrateResult result =
                Locking.off(configuration.dataSource(database)).load().migrate();
        String before = result.initialSchemaVersion;
        String after = result.targetSchemaVersion;
        return new Result(before, after == null ? before : after, result.migrationsExecuted);
    }

    private static void refuseOurs(FluentConfiguration configuration) {
        boolean ours = "homeshard".equals(configuration.getDefaultSchema())
                || Arrays.asList(configuration.getSchemas()).contains("homeshard");
        if (ours) {
            throw new IllegalArgumentException(
                    "flyway must not manage schema homeshard, which is the library's own; name the application's");
        }
    }
}
