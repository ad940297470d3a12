package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything that Homeshard throws at a caller. Three branches say what to do about it:
 * {@link TransientHomeshardException} (the same call may work later), {@link StaleRouteException} (run the whole
 * transaction again in a new scope) and {@link PermanentHomeshardException} (repeating will not help).
 */
public abstract class HomeshardException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy; no tenant data, no secret
     * @param cause the cause, or null
     */
    protected HomeshardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
