package io.homeshard.spring.web;

import io.homeshard.model.HomeshardException;
import io.homeshard.model.NoTenantException;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import io.homeshard.model.TransientHomeshardException;
import io.homeshard.model.UnknownTenantException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an exception of ours means to an HTTP client.
 *
 * @param status the HTTP status
 * @param retryAfter when to try again, or null when not
 * @param text short text without tenant data
 */
record HttpOutcome(int status, @Nullable Duration retryAfter, String text) {
    static HttpOutcome of(HomeshardException e) {
        if (e instanceof NoTenantException) {
            return new HttpOutcome(HttpServletResponse.SC_BAD_REQUEST, null, "request names no tenant");
        }
        if (e instanceof UnknownTenantException) {
            return new HttpOutcome(HttpServletResponse.SC_NOT_FOUND, null, "unknown tenant");
        }
        if (e instanceof TenantFrozenException frozen) {
            return unavailable(frozen.retryAfter(), "tenant is read-only for a moment");
        }
        if (e instanceof StaleRouteException) {
            return unavailable(Duration.ZERO, "tenant has just moved");
        }
        if (e instanceof OutcomeUnknownException) {
            return new HttpOutcome(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE, null, "outcome unknown: look before retrying");
        }
        if (e instanceof TransientHomeshardException) {
            return unavailable(Duration.ofSeconds(1), "temporarily unavailable");
        }
        return new HttpOutcome(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, null, "internal error");
    }

    void send(HttpServletResponse response) throws IOException {
        if (retryAfter != null) {
            // whole seconds, rounded up: the header knows no smaller unit
            response.setHeader(
                    "Retry-After", Long.toString(retryAfter.plusMillis(999).toSeconds()));
        }
        response.sendError(status, text);
    }

    private static HttpOutcome unavailable(Duration retryAfter, String text) {
        return new HttpOutcome(HttpServletResponse.SC_SERVICE_UNAVAILABLE, retryAfter, text);
    }
}
