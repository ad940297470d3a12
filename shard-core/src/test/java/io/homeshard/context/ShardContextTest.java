package io.homeshard.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.ScopeOrderException;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSwitchException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardContextTest {
    private static final TenantId ONE = TenantId.of("t_one");
    private static final TenantId TWO = TenantId.of("t_two");

    @AfterEach
    void threadIsClean() {
        boolean clean = ShardContext.current() == null;
        ShardContext.restore(null);
        assertThat(clean).as("no scope is left on the thread").isTrue();
    }

    @Test
    void a10OuterTenantIsBackAfterNormalAndExceptionalExit() {
        try (ShardScope outer = ShardContext.open(ONE)) {
            assertThatThrownBy(() -> {
                        try (ShardScope inner = ShardContext.open(TWO)) {
                            assertThat(ShardContext.current()).isSameAs(inner);
                            throw new IllegalStateException("work failed");
                        }
                    })
                    .hasMessage("work failed");
            assertThat(ShardContext.current()).isSameAs(outer);
            try (ShardScope same = ShardContext.open(ONE)) {
                assertThat(ShardContext.current()).isSameAs(same);
            }
            assertThat(ShardContext.tenant()).contains(ONE);
        }
        assertThat(ShardContext.tenant()).isEmpty();
    }

    @Test
    void a10ClosingOutOfOrderIsReportedAndLeavesTheStackSane() {
        ShardScope first = ShardContext.open(ONE);
        ShardScope second = ShardContext.open(TWO);
        ShardScope third = ShardContext.open(ONE);

        assertThatThrownBy(second::close)
                .isInstanceOf(ScopeOrderException.class)
                .hasMessageContaining("t_two")
                .hasMessageContaining("t_one");
        assertThat(ShardContext.current()).as("what was above it ended too").isSameAs(first);

        third.close();
        second.close();
        assertThat(ShardContext.current()).as("closing them again does nothing").isSameAs(first);
        ShardScope later = ShardContext.open(TWO);
        assertThatThrownBy(third::close).isInstanceOf(ScopeOrderException.class);
        assertThat(ShardContext.current()).isSameAs(later);
        later.close();
        first.close();
    }

    @Test
    void a10APooledThreadKeepsNoTenantWhenTheOuterScopeIsClosedFirst() {
        ShardScope outer = ShardContext.open(ONE);
        ShardScope inner = ShardContext.open(TWO);
        assertThatThrownBy(outer::close).isInstanceOf(ScopeOrderException.class);
        assertThat(ShardContext.tenant()).isEmpty();
        inner.close();
        assertThat(ShardContext.tenant()).isEmpty();
    }

    @Test
    void closingTwiceIsHarmlessUnlessOthersWereOpenedSince() {
        ShardScope scope = ShardContext.open(ONE);
        scope.close();
        scope.close();
        ShardScope later = ShardContext.open(TWO);
        assertThatThrownBy(scope::close).isInstanceOf(ScopeOrderException.class);
        assertThat(ShardContext.current()).isSameAs(later);
        later.close();
    }

    @Test
    void anotherThreadNeitherInheritsNorCloses() throws InterruptedException {
        try (ShardScope scope = ShardContext.open(ONE)) {
            assertThat(elsewhere(ShardContext::tenant)).isEqualTo(Optional.empty());
            assertThatThrownBy(() -> elsewhere(() -> {
                        scope.close();
                        return scope;
                    }))
                    .isInstanceOf(ScopeOrderException.class);
            assertThat(ShardContext.current()).isSameAs(scope);
        }
    }

    @Test
    void a1AnotherTenantIsRefusedWhileATransactionIsOpen() {
        try (ShardScope outer = ShardContext.open(ONE)) {
            outer.transactionBegan();
            try (ShardScope same = ShardContext.open(ONE)) {
                assertThat(same.inTransaction()).isTrue();
                assertThatThrownBy(() -> ShardContext.open(TWO))
                        .isInstanceOf(TenantSwitchException.class)
                        .hasMessageContaining("t_one")
                        .hasMessageContaining("t_two");
                assertThat(ShardContext.current()).isSameAs(same);
            }
            outer.transactionEnded();
            ShardContext.open(TWO).close();
        }
    }

    @Test
    void aPinIsSharedWithNestedScopesOnlyInsideATransaction() {
        Object router = new Object();
        try (ShardScope outer = ShardContext.open(ONE)) {
            outer.pin(router, "route");
            try (ShardScope inner = ShardContext.open(ONE)) {
                assertThat(inner.pinned(router)).isNull();
                outer.transactionBegan();
                assertThat(inner.pinned(router)).isEqualTo("route");
                assertThat(inner.pinned(new Object())).isNull();
                outer.transactionEnded();
            }
        }
    }

    private static Object elsewhere(java.util.concurrent.Callable<?> work) throws InterruptedException {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
