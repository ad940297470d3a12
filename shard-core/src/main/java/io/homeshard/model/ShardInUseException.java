package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** A shard cannot be removed: something refers to it still. The message says what, how much of it, and what to do. */
public final class ShardInUseException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public ShardInUseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
