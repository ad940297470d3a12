package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** The schema of the directory or of a shard is missing, too old or too new for this library. The message names the remedy. */
public final class SchemaMismatchException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public SchemaMismatchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
