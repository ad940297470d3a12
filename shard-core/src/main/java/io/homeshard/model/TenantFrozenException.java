package io.homeshard.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The tenant is read-only for a moment because it is being moved. Retry after {@link #retryAfter()}. */
public final class TenantFrozenException extends TransientHomeshardException {
    private static final long serialVersionUID = 1L;
    private final Duration retryAfter;

    /**
     * With its cause.
     *
     * @param message the message
     * @param retryAfter when to try again
     * @param cause the cause, or null
     */
    public TenantFrozenException(String message, Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /**
     * When to try again.
     *
     * @return a positive duration
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
