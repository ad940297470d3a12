package io.homeshard.routing;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantSwitchException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;

/** What a routed connection knows of the scope that it was borrowed in, and whom it tells what it sees. */
final class ScopeWatch {
    /** Refusals after which the remembered placement is worth less or nothing. */
    private static final Set<String> REFUSALS =
            Set.of(SqlStates.NOT_OWNED, SqlStates.FROZEN, SqlStates.OTHER_GENERATION);

    /** Connection errors of which the driver knows that nothing was sent. */
    private static final Set<String> NEVER_SENT = Set.of("08001", "08003", "08004");

    private final ShardScope scope;
    private final Pin pin;
    private final Shard shard;
    private final RouterParts parts;

    ScopeWatch(ShardScope scope, Pin pin, Shard shard, RouterParts parts) {
        this.scope = scope;
        this.pin = pin;
        this.shard = shard;
        this.parts = parts;
    }

    Route route() {
        return pin.route();
    }

    void transactionBegan() {
        scope.transactionBegan();
    }

    void transactionEnded() {
        scope.transactionEnded();
    }

    /** Refuses, before anything is sent, work of another tenant than the one that the connection was borrowed for. */
    void refuseOtherTenant() throws SQLException {
        ShardScope current = ShardContext.current();
        if (current == null || current == scope || current.tenant().equals(scope.tenant())) {
            return;
        }
        TenantSwitchException refusal = new TenantSwitchException(
                "tenant " + scope.tenant() + " - its connection was asked to work in a scope of tenant "
                        + current.tenant() + "; borrow another one there",
                null);
        throw new SQLNonTransientConnectionException(refusal.getMessage(), "25000", refusal);
    }

    /**
     * Looks at a failure before the application does.
     *
     * @param failure what the driver threw
     * @param commits whether the call may have committed something
     * @return what to throw: the failure itself, or one of the same SQLState around it
     */
    SQLException seen(SQLException failure, boolean commits) {
        SQLException refusal = SqlStates.find(failure, "HS");
        String state = refusal == null ? null : refusal.getSQLState();
        if (state != null && REFUSALS.contains(state)) {
            if (state.equals(SqlStates.FROZEN)) {
                parts.directory().doubt(pin.route());
            } else {
                pin.refuse();
                parts.directory().forget(pin.route());
            }
            parts.listener().guardRefused(pin.route(), state);
            return failure;
        }
        if (SqlStates.connectionLost(failure)) {
            parts.health().suspected(shard, failure);
            return commits && !NEVER_SENT.contains(failure.getSQLState()) ? outcomeUnknown(failure) : failure;
        }
        return failure;
    }

    /** What a write on a shard means whose status lets it only be read. */
    SQLException readsOnly(SQLException failure) {
        ShardUnavailableException refusal = new ShardUnavailableException(
                shard.id(),
                "shard " + shard.id() + " - is readonly, writes are refused until an operator sets another status"
                        + " (status=readonly)",
                failure);
        return new SQLTransientException(refusal.getMessage(), SqlStates.READ_ONLY, refusal);
    }

    private SQLException outcomeUnknown(SQLException failure) {
        OutcomeUnknownException unknown = new OutcomeUnknownException(
                "shard " + shard.id() + " - connection was lost while a commit was under way for tenant "
                        + scope.tenant() + ": it may or may not have happened, look before doing it again",
                failure);
        return new SQLNonTransientConnectionException(unknown.getMessage(), failure.getSQLState(), unknown);
    }
}
