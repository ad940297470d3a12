package io.homeshard.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A directory database and its shard databases, all fresh and empty.
 *
 * <p>By default the databases lie on the few servers that all tests of the JVM share: the directory on the first, the
 * shards on all of them in turn. With {@linkplain Builder#dedicatedServers dedicated servers} each database has a
 * server of its own, which a test may stop and start.
 *
 * <p>Thread-safe.
 */
public final class TestCluster implements AutoCloseable {
    private final boolean dedicated;
    private final ClusterMember directory;
    private final List<ClusterMember> shards = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private TestCluster(Builder builder) {
        this.dedicated = builder.dedicated;
        List<PostgresServer> servers = dedicated ? PostgresServers.lease(builder.shards + 1) : PostgresServers.shared();
        this.directory = ClusterMember.on(servers.get(0), "directory");
        for (int index = 0; index < builder.shards; index++) {
            PostgresServer server = dedicated ? servers.get(index + 1) : servers.get(index % servers.size());
            shards.add(ClusterMember.on(server, "shard" + index));
        }
    }

    /**
     * Makes a cluster on the shared servers.
     *
     * @param shards how many shards, at least 0
     * @return the cluster, to be closed by the caller
     */
    public static TestCluster start(int shards) {
        return builder().shards(shards).build();
    }

    /**
     * Starts describing a cluster.
     *
     * @return a builder for two shards on shared servers
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The directory.
     *
     * @return its database
     */
    public Database directory() {
        return directory.database();
    }

    /**
     * A shard.
     *
     * @param index which one, from 0
     * @return its database
     * @throws IndexOutOfBoundsException when there is no such shard
     */
    public Database shard(int index) {
        return shards.get(index).database();
    }

    /**
     * All shards.
     *
     * @return a snapshot, in the order of their index
     */
    public List<Database> shards() {
        return shards.stream().map(ClusterMember::database).toList();
    }

    /**
     * The server of the directory.
     *
     * @return a server, which others may share
     */
    public PostgresServer directoryServer() {
        return directory.server();
    }

    /**
     * The server of a shard.
     *
     * @param index which shard, from 0
     * @return a server, which others may share
     * @throws IndexOutOfBoundsException when there is no such shard
     */
    public PostgresServer shardServer(int index) {
        return shards.get(index).server();
    }

    /**
     * Adds a shard with the next index.
     *
     * @return its database
     * @throws IllegalStateException when the cluster is closed
     */
    public synchronized Database addShard() {
        if (closed.get()) {
            throw new IllegalStateException("test cluster - is closed");
        }
        int index = shards.size();
        List<PostgresServer> servers = dedicated ? PostgresServers.lease(1) : PostgresServers.shared();
        shards.add(ClusterMember.on(servers.get(index % servers.size()), "shard" + index));
        return shard(index);
    }

    /**
     * Drops all databases, and gives dedicated servers back; stopped ones are started for that. Does nothing the
     * second time.
     *
     * @throws IllegalStateException when a database was not dropped; the others are
     */
    @Override
    public synchronized void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<ClusterMember> members = new ArrayList<>(shards);
        members.add(directory);
        IllegalStateException failure = null;
        for (ClusterMember member : members) {
            try {
                member.remove(dedicated);
            } catch (IllegalStateException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Describes a cluster. Not thread-safe. */
    public static final class Builder {
        private int shards = 2;
        private boolean dedicated;

        private Builder() {}

        /**
         * How many shards.
         *
         * @param count at least 0
         * @return this
         */
        public Builder shards(int count) {
            if (count < 0) {
                throw new IllegalArgumentException("shards must be >= 0, was " + count);
            }
            this.shards = count;
            return this;
        }

        /**
         * Whether each database gets a server of its own, which can be stopped and started.
         *
         * @param own true for servers of their own
         * @return this
         */
        public Builder dedicatedServers(boolean own) {
            this.dedicated = own;
            return this;
        }

        /**
         * Makes the databases, and starts servers where they are missing.
         *
         * @return the cluster, to be closed by the caller
         */
        public TestCluster build() {
            return new TestCluster(this);
        }
    }
}
