package io.homeshard.migrate;

import io.homeshard.Homeshard;
import io.homeshard.HomeshardParts;
import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.migrate.schema.OwnSchema;
import io.homeshard.migrate.schema.RolloutException;
import io.homeshard.migrate.schema.RolloutParts;
import io.homeshard.migrate.schema.RolloutReport;
import io.homeshard.migrate.schema.ShardSchemas;
import io.homeshard.model.SchemaMismatchException;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Brings the directory and all shards to the schema that library and application ask for. May run at every start and on
 * several instances at once: what is complete is left alone. Thread-safe.
 */
public final class SchemaRollout {
    private final HomeshardParts parts;
    private final ShardSchemas shards;

    private SchemaRollout(HomeshardParts parts, Consumer<FluentConfiguration> setUp) {
        this.parts = parts;
        this.shards = new ShardSchemas(
                new RolloutParts(
                        parts.directory(), parts.admin(), parts.pools(), parts.guard(), parts.tables(), parts.clocks()),
                setUp);
    }

    /**
     * A roll-out.
     *
     * @param homeshard whose directory and shards
     * @param setUp sets Flyway up for the application's scripts on a shard: locations, schemas, placeholders. Called for
     *     each shard; the data source is Homeshard's. A location that does not exist fails the roll-out, unless
     *     {@code failOnMissingLocations(false)} is set here. The role of {@code ShardCredentials} runs the scripts and owns
     *     what they make
     * @return the roll-out; nothing has run yet
     */
    public static SchemaRollout of(Homeshard homeshard, Consumer<FluentConfiguration> setUp) {
        return new SchemaRollout(homeshard.parts(), setUp);
    }

    /**
     * Brings the directory's schema up to date. Comes before all else; the directory's data source must give up to
     * three connections at a time.
     *
     * @throws SchemaMismatchException when a newer library has been here
     * @throws io.homeshard.model.DirectoryUnavailableException when the directory cannot be reached
     */
    public void migrateDirectory() {
        try {
            OwnSchema.DIRECTORY.migrate(parts.directoryDatabase());
        } catch (SQLException e) {
            throw DirectoryCalls.translated(e);
        }
        parts.admin().identity();
    }

    /**
     * Brings every registered shard up to date, one after the other by name: Homeshard's schema, the shard's identity,
     * the application's scripts, the guard on all tenant tables. A shard that was complete for the first time is put
     * into service. Tables that a move would stumble over are logged as warnings, each once by a {@code SchemaRollout}.
     *
     * @return what was done on each shard
     * @throws RolloutException at the first shard that fails, with the report; shards after it are left alone. Fails
     *     also when a table that is declared in the {@code TenantSchema} does not exist after the scripts
     */
    public RolloutReport migrate() {
        return shards.migrate();
    }
}
