package io.homeshard.health;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import io.homeshard.pool.ShardPools;
import java.util.Map;

/**
 * What is known of the shards' health in this instance. A shard is healthy until a connection to it could not be made;
 * then it is refused at once, and one daemon thread for all shards, {@code homeshard-probe}, connects again and again
 * until it answers. Thread-safe; nothing here does I/O on the caller's thread.
 */
public interface ShardHealth extends AutoCloseable {
    /**
     * Lets the caller go on to a shard, or not.
     *
     * @param shard the shard as the directory describes it
     * @throws io.homeshard.model.ShardUnavailableException when it is offline or known to be dead at this address
     * @throws io.homeshard.model.ShardIdentityException when the database there is known to be another one
     * @throws io.homeshard.model.SchemaMismatchException when it is known to lack our schema
     */
    void check(Shard shard);

    /**
     * Told when no connection could be made: the shard is dead from now on.
     *
     * @param shard the shard
     * @param cause what was seen
     */
    void failed(Shard shard, Throwable cause);

    /**
     * Told when an established connection broke: the shard is probed at once, and dead if the probe fails.
     *
     * @param shard the shard
     * @param cause what was seen
     */
    void suspected(Shard shard, Throwable cause);

    /**
     * The shards that are known to be dead.
     *
     * @return a snapshot, with the failure that was seen last
     */
    Map<ShardId, Throwable> dead();

    /** Ends the probe thread. */
    @Override
    void close();

    /**
     * Health by probing.
     *
     * @param pools connects to the shards; the pool of a shard that answers again is started afresh
     * @param listener hears of shards that go down and up
     * @param clocks time
     * @return healthy until told otherwise
     */
    static ShardHealth probing(ShardPools pools, ShardListener listener, Clocks clocks) {
        return new ProbedHealth(pools, listener, clocks);
    }
}
