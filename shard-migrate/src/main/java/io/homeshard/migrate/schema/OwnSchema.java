package io.homeshard.migrate.schema;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SchemaNumber;
import io.homeshard.model.SchemaMismatchException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Homeshard's own schema on a directory or a shard, with a history of its own beside the application's. */
public enum OwnSchema {
    /** The directory's part. */
    DIRECTORY("directory", "classpath:io/homeshard/db/directory"),
    /** The shards' part. */
    SHARD("shard", "classpath:io/homeshard/db/shard");

    private static final String INSTALLED =
            "SELECT pg_catalog.to_regprocedure('homeshard.schema_number()') IS NOT NULL";
    private static final String SCHEMA_NUMBER = "SELECT homeshard.schema_number()";
    private static final String QUIET = "SET client_min_messages = warning";

    private final String who;
    private final String location;

    OwnSchema(String who, String location) {
        this.who = who;
        this.location = location;
    }

    /**
     * Brings the schema up to date; may run on several instances at once.
     *
     * @param database hands out connections in autocommit, up to three at a time
     * @return number of scripts that ran, 0 when the schema was up to date
     * @throws SQLException as the driver says
     * @throws SchemaMismatchException when a newer library has been here: its functions must not be replaced by ours
     */
    public int migrate(DataSource database) throws SQLException {
        refuseNewer(database);
        FluentConfiguration configuration = Flyway.configure(OwnSchema.class.getClassLoader())
                .dataSource(database)
                .initSql(QUIET)
                .locations(location)
                .failOnMissingLocations(true)
                .schemas("homeshard")
                .defaultSchema("homeshard")
                .table("schema_history");
        return Locking.off(configuration).load().migrate().migrationsExecuted;
    }

    private void refuseNewer(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            if (!Jdbc.one(connection, INSTALLED, row -> row.getBoolean(1))) {
                return;
            }
            int number = Jdbc.one(connection, SCHEMA_NUMBER, row -> row.getInt(1));
            if (number > SchemaNumber.CURRENT) {
                throw new SchemaMismatchException(
                        who + " - schema was rolled out by a newer library, use that (schema=" + number + ", library="
                                + SchemaNumber.CURRENT + ")",
                        null);
            }
        }
    }
}
