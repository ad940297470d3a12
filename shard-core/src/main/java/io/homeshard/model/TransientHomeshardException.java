package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The same call may work later: nothing was written by the failed transaction. */
public abstract class TransientHomeshardException extends HomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message the message
     * @param cause the cause, or null
     */
    protected TransientHomeshardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
