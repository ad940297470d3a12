package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The route of this scope is outdated: the tenant has moved. Nothing was written; run the whole transaction again in a new scope. */
public final class StaleRouteException extends HomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public StaleRouteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
