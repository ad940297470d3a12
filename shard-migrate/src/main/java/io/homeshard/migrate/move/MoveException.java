package io.homeshard.migrate.move;

import io.homeshard.migrate.verify.RowDifference;
import io.homeshard.model.PermanentHomeshardException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A move did not end as asked. The message says how the tenant stands and what to do; repeating the call blindly will
 * not help.
 */
public final class MoveException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;
    private final @Nullable UUID move;

    /**
     * With its cause.
     *
     * @param move the move, or null when none was begun
     * @param message who, what happened, remedy
     * @param cause the cause, or null
     */
    public MoveException(@Nullable UUID move, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.move = move;
    }

    /**
     * The rows in which both shards differed, when the move failed for that: to be shown to people who may see the
     * tenant's data. They were read before the target was emptied, are kept nowhere else, and stand in no message.
     *
     * @return at most a hundred of each of the first tables that differ; empty when the move failed for another reason
     */
    public List<RowDifference> differences() {
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof RowsDiffer differ) {
                return differ.rows();
            }
        }
        return List.of();
    }

    /**
     * The move.
     *
     * @return its id, or null when none was begun
     */
    public @Nullable UUID move() {
        return move;
    }
}
