package io.homeshard.spring.web;

import io.homeshard.model.HomeshardException;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.transaction.TransactionSystemException;

/**
 * What a failure that left the application means. Looks also behind a rollback that failed: on a lost connection it
 * always does, and Spring then throws its failure in place of the one that says what happened.
 *
 * @param translation says what a failure means, without looking behind a rollback
 */
record FailureMeaning(Function<Throwable, Optional<HomeshardException>> translation) {
    private static final int LONGEST_CHAIN = 20;

    Optional<HomeshardException> of(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < LONGEST_CHAIN; i++) {
            if (cause instanceof TransactionSystemException overridden
                    && overridden.getApplicationException() != null) {
                Optional<HomeshardException> behind = translation.apply(overridden.getApplicationException());
                if (behind.isPresent()) {
                    return behind;
                }
            }
            cause = cause.getCause();
        }
        return translation.apply(failure);
    }
}
