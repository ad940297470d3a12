package io.homeshard.tenants;

import io.homeshard.model.DirectoryUnavailableException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the directory for a step again when its answer was lost; steps are idempotent. */
final class Asking {
    private static final Logger LOG = LoggerFactory.getLogger(Asking.class);

    /** A broken connection is replaced for the next call; a directory that is down is not waited for. */
    private static final int ATTEMPTS = 3;

    private Asking() {}

    static <T> T again(Supplier<T> step) {
        for (int attempt = 1; ; attempt++) {
            try {
                return step.get();
            } catch (DirectoryUnavailableException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LOG.debug("directory - gave no answer, is asked again (attempt={}, limit={})", attempt, ATTEMPTS, e);
            }
        }
    }
}
