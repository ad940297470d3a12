package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** Repeating the call will not help: code, configuration or an operator has to act first. */
public abstract class PermanentHomeshardException extends HomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message the message
     * @param cause the cause, or null
     */
    protected PermanentHomeshardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
