package io.homeshard.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.context.ShardContext;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.ScopeOrderException;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.transaction.TransactionSystemException;

class TenantFilterTest {
    private final TenantFilter filter = new TenantFilter(
            request -> Optional.ofNullable(request.getRemoteUser()).map(TenantId::of), this::translated);
    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private Optional<TenantId> tenantWhenAsked = Optional.empty();
    private @Nullable HomeshardException meaning;

    @AfterEach
    void leavesTheThreadAsItWas() {
        assertThat(ShardContext.tenant()).isEmpty();
    }

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

    @Test
    void asksWhatAFailureMeansWhileTheScopeIsOpen() throws Exception {
        meaning = new StaleRouteException("x", null);
        assertThat(outcome(new IllegalStateException("refused by the shard"))).isEqualTo("503 0");
        assertThat(tenantWhenAsked).contains(TenantId.of("acme"));
    }

    @Test
    void looksBehindARollbackThatFailed() throws Exception {
        TransactionSystemException rollback = new TransactionSystemException("rollback failed");
        rollback.initApplicationException(new TenantFrozenException("x", Duration.ofSeconds(3), null));
        assertThat(outcome(rollback)).isEqualTo("503 3");
    }

    @Test
    void aThreadWithALeakedScopeRunsNothingForTheOldTenantAndIsFreeAfterwards() throws Exception {
        request.setRemoteUser("acme");
        AtomicInteger runs = new AtomicInteger();
        ShardContext.open(TenantId.of("old"));
        ShardContext.open(TenantId.of("older"));
        assertThatThrownBy(() -> filter.doFilter(request, response, (req, res) -> runs.incrementAndGet()))
                .isInstanceOf(ScopeOrderException.class)
                .hasMessageContaining("older");
        assertThat(runs).hasValue(0);
        assertThat(ShardContext.tenant()).as("the error page's tenant").isEmpty();

        MockHttpServletRequest next = new MockHttpServletRequest();
        next.setRemoteUser("acme");
        filter.doFilter(next, response, (req, res) -> runs.incrementAndGet());
        assertThat(runs).hasValue(1);
    }

    @Test
    void aScopeThatTheApplicationLeavesOpenFailsItsOwnRequestAndNoOther() throws Exception {
        request.setRemoteUser("acme");
        assertThatThrownBy(
                        () -> filter.doFilter(request, response, (req, res) -> ShardContext.open(TenantId.of("other"))))
                .isInstanceOf(ScopeOrderException.class);
        assertThat(ShardContext.tenant()).isEmpty();
        MockHttpServletRequest next = new MockHttpServletRequest();
        next.setRemoteUser("acme");
        AtomicReference<Optional<TenantId>> seen = new AtomicReference<>();
        filter.doFilter(next, response, (req, res) -> seen.set(ShardContext.tenant()));
        assertThat(seen.get()).contains(TenantId.of("acme"));
        assertThat(ShardContext.tenant()).isEmpty();
    }

    @Test
    void leavesAnAnswerThatHasBegunAlone() {
        request.setRemoteUser("acme");
        assertThatThrownBy(() -> filter.doFilter(request, response, (req, res) -> {
                    res.flushBuffer();
                    throw new StaleRouteException("x", null);
                }))
                .isInstanceOf(StaleRouteException.class);
        assertThat(response.getStatus()).isEqualTo(200);
    }

    private Optional<HomeshardException> translated(Throwable failure) {
        tenantWhenAsked = ShardContext.tenant();
        if (meaning != null) {
            return Optional.of(meaning);
        }
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof HomeshardException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private String outcome(RuntimeException failure) throws Exception {
        MockHttpServletRequest fresh = new MockHttpServletRequest();
        fresh.setRemoteUser("acme");
        MockHttpServletResponse answer = new MockHttpServletResponse();
        filter.doFilter(fresh, answer, (req, res) -> {
            throw new ServletException("wrapped", failure);
        });
        return answer.getStatus() + " " + answer.getHeader("Retry-After");
    }
}
