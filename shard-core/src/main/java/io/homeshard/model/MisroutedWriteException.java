package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** A shard refused a write, or a new tenant, that the directory sent there: the two disagree. Alarm and reconcile. */
public final class MisroutedWriteException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public MisroutedWriteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
