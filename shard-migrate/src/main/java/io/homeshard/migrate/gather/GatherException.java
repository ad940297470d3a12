package io.homeshard.migrate.gather;

import io.homeshard.model.PermanentHomeshardException;
import org.jspecify.annotations.Nullable;

/** A gathering did not begin or did not come to its end; what it had done is in the directory. It may be repeated. */
public final class GatherException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    GatherException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
