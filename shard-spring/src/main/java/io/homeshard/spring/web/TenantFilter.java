package io.homeshard.spring.web;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.ScopeOrderException;
import io.homeshard.model.TenantId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Opens the scope of a request's tenant and closes it whatever happens. A request without tenant is answered with 400
 * before anything else runs; what leaves the application and is of Homeshard's concern, be it an exception of ours or
 * Spring's about a refusal of the shard, becomes the status that {@code docs/errors.md} names. The scope belongs to the
 * request's thread: asynchronous work opens its own. Borrows no connection. Thread-safe.
 */
public final class TenantFilter extends OncePerRequestFilter {
    private static final Logger log = LoggerFactory.getLogger(TenantFilter.class);

    private final TenantResolver resolver;
    private final FailureMeaning meaning;

    /**
     * A filter.
     *
     * @param resolver finds the tenant of a request
     * @param translation says what a failure means while the scope is still open: {@code homeshard::translate}
     */
    public TenantFilter(TenantResolver resolver, Function<Throwable, Optional<HomeshardException>> translation) {
        this.resolver = resolver;
        this.meaning = new FailureMeaning(translation);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        refuseLeak();
        Optional<TenantId> tenant;
        try {
            tenant = resolver.resolve(request);
        } catch (IllegalArgumentException e) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "request names no possible tenant");
            return;
        }
        if (tenant.isEmpty()) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "request names no tenant");
            return;
        }
        try (ShardScope scope = ShardContext.open(tenant.get())) {
            run(request, response, chain);
        }
    }

    /** Inside the scope, because only there a refusal can be told from a disagreement about the pinned route. */
    private void run(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | IOException | RuntimeException e) {
            Optional<HomeshardException> ours = meaning.of(e);
            if (ours.isEmpty() || response.isCommitted()) {
                throw e;
            }
            HttpOutcome outcome = HttpOutcome.of(ours.get());
            if (outcome.status() == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
                log.error("tenant filter - request failed and repeating it will not help", ours.get());
            } else {
                log.debug("tenant filter - request was refused (status={})", outcome.status(), ours.get());
            }
            outcome.send(response);
        }
    }

    /**
     * Somebody opened a scope on this thread and did not close it. The request fails, so that the leak is found; the
     * scopes are closed, so that neither the error page nor the thread's next request works for the old tenant.
     */
    private static void refuseLeak() {
        ShardScope leaked = ShardContext.current();
        if (leaked == null) {
            return;
        }
        ScopeOrderException refusal = new ScopeOrderException(
                "tenant filter - a scope of tenant " + leaked.tenant() + " was left open on thread "
                        + Thread.currentThread().getName()
                        + "; open scopes by try-with-resources, or by homeshard.run",
                null);
        for (ShardScope scope = leaked; scope != null; scope = ShardContext.current()) {
            scope.close();
        }
        log.error("tenant filter - request is refused", refusal);
        throw refusal;
    }
}
