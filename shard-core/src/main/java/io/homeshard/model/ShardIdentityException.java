package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The database at a shard's address is not the one that the directory means: wrong URL, clone or restore. No writes, no mover there until reconciled. */
public final class ShardIdentityException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public ShardIdentityException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
