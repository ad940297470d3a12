package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** Another tenant was asked for while a transaction is open. End the transaction first; the message names both tenants. */
public final class TenantSwitchException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public TenantSwitchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
