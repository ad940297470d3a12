package io.homeshard.pool;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** No physical connection to the shard could be made, as opposed to a pool whose connections are all in use. */
public final class ShardUnreachableException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    ShardUnreachableException(String message, @Nullable SQLException cause) {
        super(message, "08001", cause);
    }
}
