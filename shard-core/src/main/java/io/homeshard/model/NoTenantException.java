package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** A connection was asked for outside any scope. Open a scope; there is no default shard. */
public final class NoTenantException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public NoTenantException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
