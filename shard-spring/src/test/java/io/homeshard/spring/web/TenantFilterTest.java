package io.homeshard.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.context.ShardContext;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class TenantFilterTest {
    private final TenantFilter filter = new TenantFilter(
            request -> Optional.ofNullable(request.getRemoteUser()).map(TenantId::of));
    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    void opensTheScopeOfTheTenantAndClosesItAfterwards() throws Exception {
        request.setRemoteUser("acme");
        AtomicReference<Optional<TenantId>> seen = new AtomicReference<>();
        filter.doFilter(request, response, (req, res) -> seen.set(ShardContext.tenant()));
        assertThat(seen.get()).contains(TenantId.of("acme"));
        assertThat(ShardContext.tenant()).isEmpty();
        assertThat(response.getStatus()).isEqualTo(200);
    }

    @Test
    void closesTheScopeWhenTheApplicationFails() {
        request.setRemoteUser("acme");
        assertThatThrownBy(() -> filter.doFilter(request, response, (req, res) -> {
                    throw new IllegalStateException("of the application");
                }))
                .hasMessage("of the application");
        assertThat(ShardContext.tenant()).isEmpty();
    }

    @Test
    void answers400WithoutTenantAndRunsNothing() throws Exception {
        FilterChain chain = (req, res) -> {
            throw new AssertionError("must not run");
        };
        filter.doFilter(request, response, chain);
        assertThat(response.getStatus()).isEqualTo(400);

        request.setRemoteUser(" acme");
        MockHttpServletResponse second = new MockHttpServletResponse();
        filter.doFilter(request, second, chain);
        assertThat(second.getStatus()).isEqualTo(400);
    }

    @Test
    void mapsOurExceptionsAlsoWhenWrapped() throws Exception {
        assertThat(outcome(new UnknownTenantException("x", null))).isEqualTo("404 null");
        assertThat(outcome(new TenantFrozenException("x", Duration.ofMillis(1500), null)))
                .isEqualTo("503 2");
        assertThat(outcome(new StaleRouteException("x", null))).isEqualTo("503 0");
        assertThat(outcome(new DirectoryUnavailableException("x", null))).isEqualTo("503 1");
        assertThat(outcome(new ShardUnavailableException(ShardId.of("s1"), "x", null)))
                .isEqualTo("503 1");
    }

    private String outcome(RuntimeException failure) throws Exception {
        request.setRemoteUser("acme");
        MockHttpServletRequest fresh = new MockHttpServletRequest();
        fresh.setRemoteUser("acme");
        MockHttpServletResponse answer = new MockHttpServletResponse();
        filter.doFilter(fresh, answer, (req, res) -> {
            throw new ServletException("wrapped", failure);
        });
        return answer.getStatus() + " " + answer.getHeader("Retry-After");
    }
}
