package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/**
 * The connection was lost while COMMIT was under way, or the directory lost its answer while a tenant was being created:
 * it may or may not have happened. Look before doing it again; never retried for the caller.
 */
public final class OutcomeUnknownException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
