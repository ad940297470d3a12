package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The guard refused a statement that no retry can mend: TRUNCATE of a tenant table, or a row without tenant. */
public final class GuardViolationException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public GuardViolationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
