package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** A scope was closed on another thread, twice with others in between, or before one that was opened inside it. */
public final class ScopeOrderException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public ScopeOrderException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
