package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The tenant is being created or deleted. Retry later; never cached as unknown. */
public final class TenantNotReadyException extends TransientHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public TenantNotReadyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
