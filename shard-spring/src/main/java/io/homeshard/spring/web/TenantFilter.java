package io.homeshard.spring.web;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.TenantId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Opens the scope of a request's tenant and closes it whatever happens. A request without tenant is answered with 400
 * before anything else runs; Homeshard's own exceptions that leave the application become the status that
 * {@link HttpOutcome} gives them. Borrows no connection. Thread-safe.
 */
public final class TenantFilter extends OncePerRequestFilter {
    private final TenantResolver resolver;

    /**
     * A filter.
     *
     * @param resolver finds the tenant of a request
     */
    public TenantFilter(TenantResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
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
            chain.doFilter(request, response);
        } catch (ServletException | IOException | RuntimeException e) {
            HomeshardException ours = ours(e);
            if (ours == null || response.isCommitted()) {
                throw e;
            }
            HttpOutcome.of(ours).send(response);
        }
    }

    private static @Nullable HomeshardException ours(Throwable failure) {
        int bound = 20;
        for (Throwable t = failure; t != null && bound-- > 0; t = t.getCause()) {
            if (t instanceof HomeshardException found) {
                return found;
            }
        }
        return null;
    }
}
