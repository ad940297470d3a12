package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/** No shard may take the tenant; the message has the candidates and why each was left out. */
public final class PlacementException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /**
     * With its cause.
     *
     * @param message who, what happened, limit and actual, remedy
     * @param cause the cause, or null
     */
    public PlacementException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
