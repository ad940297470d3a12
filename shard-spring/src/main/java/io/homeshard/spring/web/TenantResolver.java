package io.homeshard.spring.web;

import io.homeshard.model.TenantId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Says which tenant a request is for. Must rest on something authenticated (principal, token claim, host name that only
 * the tenant may use), never on a bare header that anybody can set. Implementations are thread-safe.
 */
@FunctionalInterface
public interface TenantResolver {
    /**
     * The tenant of a request.
     *
     * @param request the request
     * @return the tenant, or empty when the request names none (answered with 400)
     * @throws IllegalArgumentException when it names something that no tenant can be called (answered with 400)
     */
    Optional<TenantId> resolve(HttpServletRequest request);
}
