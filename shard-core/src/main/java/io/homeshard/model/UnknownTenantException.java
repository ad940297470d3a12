package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The directory does not know the tenant. Not worth a retry. */
public final class UnknownTenantException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public UnknownTenantException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
