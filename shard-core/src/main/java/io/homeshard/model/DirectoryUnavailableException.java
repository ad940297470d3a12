package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The directory cannot be reached and nothing usable is cached. Retry later. */
public final class DirectoryUnavailableException extends TransientHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public DirectoryUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
