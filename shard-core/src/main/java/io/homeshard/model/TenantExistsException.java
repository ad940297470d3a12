package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The tenant is in the directory already. */
public final class TenantExistsException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public TenantExistsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
