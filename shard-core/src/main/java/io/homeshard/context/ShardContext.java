package io.homeshard.context;

import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSwitchException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which tenant the current thread works for. A thread has a stack of {@link ShardScope scopes}; a new thread has none,
 * because scopes are never inherited: whoever hands work to another thread opens a scope there.
 */
public final class ShardContext {
    private static final ThreadLocal<ShardScope> CURRENT = new ThreadLocal<>();

    private ShardContext() {}

    /**
     * Opens a scope on the current thread. Close it on the same thread, innermost first; closing brings back what was
     * there before.
     *
     * @param tenant for whom the thread works until the scope is closed
     * @return the scope
     * @throws TenantSwitchException when a transaction of another tenant is open in an enclosing scope
     */
    public static ShardScope open(TenantId tenant) {
        ShardScope parent = CURRENT.get();
        for (ShardScope outer = parent; outer != null; outer = outer.parent()) {
            if (outer.inTransaction() && !outer.tenant().equals(tenant)) {
                throw new TenantSwitchException(
                        "tenant " + outer.tenant() + " - has an open transaction; end it before a scope for tenant "
                                + tenant + " is opened, whatever shard that one is on",
                        null);
            }
        }
        ShardScope scope = new ShardScope(tenant, parent);
        CURRENT.set(scope);
        return scope;
    }

    /**
     * The tenant of the innermost open scope.
     *
     * @return the tenant, or empty outside any scope
     */
    public static Optional<TenantId> tenant() {
        ShardScope scope = CURRENT.get();
        return scope == null ? Optional.empty() : Optional.of(scope.tenant());
    }

    /**
     * The innermost open scope of this thread.
     *
     * @return the scope, or null outside any scope
     */
    public static @Nullable ShardScope current() {
        return CURRENT.get();
    }

    /** Makes {@code scope} the current one; null leaves no trace on a pooled thread. */
    static void restore(@Nullable ShardScope scope) {
        if (scope == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(scope);
        }
    }
}
