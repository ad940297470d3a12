package io.homeshard.migrate.copy;

import io.homeshard.guard.WriteGuard;
import java.sql.Connection;

/**
 * Where a copy runs. The connections are the caller's, physical or unwrappable to pgjdbc's, in autocommit.
 *
 * @param source the shard that the tenant leaves, which must be frozen there already
 * @param target the shard that it goes to, where the move has reserved it
 * @param guard admits the writes on the target
 */
public record CopyEnds(Connection source, Connection target, WriteGuard guard) {}
