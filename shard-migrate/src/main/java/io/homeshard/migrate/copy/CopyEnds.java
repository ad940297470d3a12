package io.homeshard.migrate.copy;

import io.homeshard.guard.WriteGuard;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Where a copy runs. The connections are the caller's, physical or unwrappable to pgjdbc's, in autocommit.
 *
 * @param source the shard that the tenant leaves, which must be frozen there already
 * @param target the shard that it goes to, where the move has reserved it
 * @param guard admits the writes on the target
 * @param more opens sessions for further streams; null for one stream only
 */
public record CopyEnds(
        Connection source,
        Connection target,
        WriteGuard guard,
        @Nullable CopySessions more) {
    /**
     * Ends with two connections, for a copy in one stream.
     *
     * @param source the shard that the tenant leaves
     * @param target the shard that it goes to
     * @param guard admits the writes on the target
     */
    public CopyEnds(Connection source, Connection target, WriteGuard guard) {
        this(source, target, guard, null);
    }
}
