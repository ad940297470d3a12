package io.homeshard.spring.guide;

import io.homeshard.Homeshard;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import io.homeshard.model.TenantId;
import java.util.function.Supplier;

/** Runs a transaction again when its tenant moved under it. */
public final class Retries {
    private static final int ATTEMPTS = 20;

    private final Homeshard homeshard;

    public Retries(Homeshard homeshard) {
        this.homeshard = homeshard;
    }

    // guide: retry
    <T> T inTransactionOf(TenantId tenant, Supplier<T> transactional) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return homeshard.call(tenant, transactional::get); // a new scope for each attempt
            } catch (StaleRouteException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            } catch (TenantFrozenException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(e.retryAfter().toMillis());
            }
        }
    }
    // guide: end
}
