package io.homeshard.migrate.schema;

import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** How Flyway keeps two roll-outs of one database apart. */
final class Locking {
    private Locking() {}

    /**
     * By a lock of the session. The default is a transaction that stays open beside the script, for which {@code CREATE
     * INDEX CONCURRENTLY} waits without end. Set by its type, since newer Flyways need Jackson to set it by name, and
     * through the register of plugins: deprecated, but the one way that Flyway 11.7 and 13 both have.
     */
    @SuppressWarnings("deprecation")
    static FluentConfiguration off(FluentConfiguration configuration) {
        configuration
                .getPluginRegister()
                .getPlugin(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
        return configuration;
    }
}
