package io.homeshard.testing;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Puts Homeshard's own schema on a database, by Flyway and from the class path, as a rollout does. Thread-safe. */
public final class ShardSchemas {
    private ShardSchemas() {}

    /**
     * Makes the database a shard, without a guard on any table.
     *
     * @param database the database
     */
    public static void migrateShard(DataSource database) {
        migrate(database, "classpath:io/homeshard/db/shard");
    }

    /**
     * Makes the database a directory.
     *
     * @param database the database
     */
    public static void migrateDirectory(DataSource database) {
        migrate(database, "classpath:io/homeshard/db/directory");
    }

    private static void migrate(DataSource database, String location) {
        Flyway.configure()
                .dataSource(database)
                .locations(location)
                .schemas("homeshard")
                .defaultSchema("homeshard")
                .table("schema_history")
                .load()
                .migrate();
    }
}
