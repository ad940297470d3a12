package io.homeshard.tenants;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import java.util.List;
import java.util.Optional;

/**
 * The shards that the directory knows. Thread-safe. Every method throws
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached.
 */
public interface Shards {
    /**
     * Shards of a directory.
     *
     * @param directory reads it
     * @param admin changes it
     * @return the shards
     */
    static Shards of(Directory directory, DirectoryAdmin admin) {
        return new DirectoryShards(directory, admin);
    }

    /**
     * Registers a shard, offline until its schema was rolled out. Repeating it with the same values changes nothing.
     *
     * @param shard the shard; its number 0 means "give one", its status is not looked at
     * @return the shard as registered
     * @throws IllegalArgumentException when the name or the address is registered with other values, or the name is that
     *     of a shard that was removed
     */
    Shard add(Shard shard);

    /**
     * One shard.
     *
     * @param shard its name
     * @return the shard, or empty
     */
    Optional<Shard> find(ShardId shard);

    /**
     * All shards, by name.
     *
     * @return the shards
     */
    List<Shard> list();

    /**
     * Sets what may happen on a shard.
     *
     * @param shard its name
     * @param status the new status
     * @throws IllegalArgumentException when the shard is unknown, or is to be active although its schema was never
     *     rolled out: {@code SchemaRollout.migrate()} puts it into service
     */
    void setStatus(ShardId shard, ShardStatus status);

    /**
     * Takes an empty shard out of use for ever: {@code TenantMover.drain} empties it, cleaning deletes the old rows. Its
     * name and its number are never given again. Its database is not touched and may be dropped afterwards. Repeating
     * it changes nothing.
     *
     * @param shard its name
     * @throws IllegalArgumentException when the directory has never known it
     * @throws io.homeshard.model.ShardInUseException when tenants, creations, unfinished moves or retained rows refer to
     *     it, or it is active; says which, and what to do
     */
    void remove(ShardId shard);
}
