package io.homeshard.context;

import io.homeshard.model.ScopeOrderException;
import io.homeshard.model.TenantId;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One stretch of work for one tenant, from {@link ShardContext#open} to {@link #close}. Belongs to the thread that
 * opened it; only the count of open transactions may be changed by others, because a connection may be closed anywhere.
 */
public final class ShardScope implements AutoCloseable {
    private final TenantId tenant;
    private final @Nullable ShardScope parent;
    private final Thread owner = Thread.currentThread();
    private final AtomicInteger transactions = new AtomicInteger();
    private @Nullable Pinned pinned;
    private boolean closed;

    ShardScope(TenantId tenant, @Nullable ShardScope parent) {
        this.tenant = tenant;
        this.parent = parent;
    }

    /**
     * For whom.
     *
     * @return the tenant
     */
    public TenantId tenant() {
        return tenant;
    }

    /**
     * Whether a transaction is open that began in this scope, or in an enclosing one of the same tenant.
     *
     * @return true from {@code setAutoCommit(false)} until {@code setAutoCommit(true)} or close of that connection
     */
    public boolean inTransaction() {
        return transactions.get() > 0 || (parent != null && parent.tenant.equals(tenant) && parent.inTransaction());
    }

    /** Told by a routed connection that was borrowed in this scope: a transaction begins. */
    public void transactionBegan() {
        transactions.incrementAndGet();
    }

    /** Told by a routed connection that was borrowed in this scope: its transaction is over. */
    public void transactionEnded() {
        transactions.decrementAndGet();
    }

    /**
     * What {@code owner} has pinned to this scope. Inside a transaction of an enclosing scope of the same tenant that
     * scope's pin holds, so that nested code sees the same database; otherwise a scope starts without pins.
     *
     * @param owner who pinned, compared by identity
     * @return the value, or null
     */
    public @Nullable Object pinned(Object owner) {
        for (Pinned pin = pinned; pin != null; pin = pin.next) {
            if (pin.owner == owner) {
                return pin.value;
            }
        }
        if (parent != null && parent.tenant.equals(tenant) && parent.inTransaction()) {
            return parent.pinned(owner);
        }
        return null;
    }

    /**
     * Pins a value to this scope. A later pin of the same owner hides the earlier one.
     *
     * @param owner who pins, compared by identity
     * @param value what is found again by {@link #pinned}
     */
    public void pin(Object owner, Object value) {
        pinned = new Pinned(owner, value, pinned);
    }

    /**
     * Ends the scope and brings back the one that was current before. Closing it again right away does nothing, and so
     * does closing one that ended with a scope around it.
     *
     * @throws ScopeOrderException on another thread (nothing is changed); when a scope that was opened later is still
     *     open: all of these end together with this one, so that nothing is left on a pooled thread; and when it was
     *     closed before and others were opened since
     */
    @Override
    public void close() {
        if (Thread.currentThread() != owner) {
            throw new ScopeOrderException(
                    "scope of tenant " + tenant + " - must be closed by the thread that opened it (opened="
                            + owner.getName() + ", closed="
                            + Thread.currentThread().getName() + ")",
                    null);
        }
        ShardScope current = ShardContext.current();
        if (closed) {
            if (current != openAncestor()) {
                throw new ScopeOrderException(
                        "scope of tenant " + tenant + " - was closed already, others since", null);
            }
            return;
        }
        for (ShardScope inner = current; inner != null && inner != this; inner = inner.parent) {
            inner.closed = true;
        }
        closed = true;
        ShardContext.restore(openAncestor());
        if (current != this) {
            throw new ScopeOrderException(
                    "scope of tenant " + tenant + " - was closed before the scope of tenant "
                            + (current == null ? "(none)" : current.tenant)
                            + " that was opened inside it; both are closed now",
                    null);
        }
    }

    @Nullable
    ShardScope parent() {
        return parent;
    }

    private @Nullable ShardScope openAncestor() {
        ShardScope ancestor = parent;
        while (ancestor != null && ancestor.closed) {
            ancestor = ancestor.parent;
        }
        return ancestor;
    }

    private record Pinned(
            Object owner, Object value, @Nullable Pinned next) {}
}
