package io.homeshard.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database of a cluster and the server on which it lies. */
record ClusterMember(Database database, PostgresServer server) {

    static ClusterMember directory(PostgresServer server) {
        return new ClusterMember(server.createDatabase("directory"), server);
    }

    static ClusterMember shard(int index, PostgresServer server) {
        return new ClusterMember(server.createDatabase("shard" + index), server);
    }

    /** Removes as many as it can and then throws the first failure with the others inside. */
    static void removeAll(List<ClusterMember> members, boolean lent) {
        RuntimeException first = null;
        for (ClusterMember member : members) {
            first = member.remove(lent, first);
        }
        if (first != null) {
            throw first;
        }
    }

    /** Removes as many as it can and adds the failures to an earlier one. */
    static void removeAfter(RuntimeException failure, List<ClusterMember> members, boolean lent) {
        for (ClusterMember member : members) {
            member.remove(lent, failure);
        }
    }

    /** Drops the database; a server that failed to do so is not lent to the next test. */
    private @Nullable RuntimeException remove(boolean lent, @Nullable RuntimeException earlier) {
        try {
            if (lent && server instanceof EmbeddedServer mayBeStopped) {
                mayBeStopped.start();
            }
            database.drop();
            if (lent) {
                PostgresServers.release(List.of(server));
            }
            return earlier;
        } catch (RuntimeException e) {
            if (earlier == null) {
                return e;
            }
            earlier.addSuppressed(e);
            return earlier;
        }
    }
}
