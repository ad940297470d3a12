package io.homeshard.tenants;

import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Causes;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.MisroutedWriteException;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.PermanentHomeshardException;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantNotReadyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The creator's way through the steps. Its epoch decides between it and a repair: in the directory by compare-and-set,
 * on the shard by the fence, so that one that wakes up late can do nothing.
 */
final class TenantCreation {
    private static final Logger LOG = LoggerFactory.getLogger(TenantCreation.class);

    private final TenantsParts parts;
    private final Consumer<ProvisioningStep> steps;

    TenantCreation(TenantsParts parts, Consumer<ProvisioningStep> steps) {
        this.parts = parts;
        this.steps = steps;
    }

    void run(Provisioning operation, Shard shard) {
        steps.accept(ProvisioningStep.BEGUN);
        MoverToken token = ShardSession.token(operation);
        boolean committed = false;
        try (Connection connection = first(operation, () -> ShardSession.open(parts.pools(), shard, token))) {
            StepResult prepared = prepare(connection, operation, token);
            if (!prepared.ok()) {
                throw giveUp(connection, operation, token, prepared);
            }
            StepResult commit = commit(operation);
            if (!commit.ok()) {
                throw late(operation, commit.toString(), null);
            }
            committed = true;
            steps.accept(ProvisioningStep.COMMITTED);
            activate(connection, operation, token);
            steps.accept(ProvisioningStep.ACTIVATED);
        } catch (SQLException e) {
            throw failed(operation, committed, e);
        }
        end(operation);
    }

    private interface FirstStep<T> {
        T take() throws SQLException;
    }

    /**
     * A step before which nothing of the operation is on the shard. When it says that the database or its schema is not
     * the right one, the directory may forget the operation at once.
     */
    private <T> T first(Provisioning operation, FirstStep<T> step) throws SQLException {
        try {
            return step.take();
        } catch (SQLException e) {
            PermanentHomeshardException misfit = Causes.find(e, PermanentHomeshardException.class);
            if (misfit == null && SqlStates.schemaMissing(e)) {
                misfit = new SchemaMismatchException(
                        "shard " + operation.shard() + " - schema homeshard is missing or older than this library;"
                                + " run SchemaRollout.migrate()",
                        e);
            }
            if (misfit == null) {
                throw e;
            }
            throw undoing(operation, misfit);
        }
    }

    /** Undone or, where the directory does not answer, left to a repair. */
    private <E extends HomeshardException> E undoing(Provisioning operation, E failure) {
        try {
            parts.admin().undoCreate(operation);
            return failure;
        } catch (HomeshardException e) {
            failure.addSuppressed(e);
            return leaving(operation, failure);
        }
    }

    /** An answer that was lost is asked for again: the step answers "already done" when it had happened. */
    private StepResult commit(Provisioning operation) {
        try {
            return Asking.again(() -> parts.admin().commitCreate(operation));
        } catch (DirectoryUnavailableException e) {
            throw leaving(
                    operation,
                    new OutcomeUnknownException(
                            "tenant " + operation.tenant() + " - the directory did not answer whether it was created;"
                                    + " tenants().repair() will finish or undo it, look whether it exists before"
                                    + " creating it again (operation=" + operation.operation() + ")",
                            e));
        }
    }

    /** The tenant is in service, whatever happens here: repair() ends what stays open. Refused: one is at it. */
    private void end(Provisioning operation) {
        try {
            parts.admin().endCreate(operation);
        } catch (HomeshardException e) {
            LOG.info(
                    "tenant creation - is complete, its journal entry is left to a repair (operation={})",
                    operation.operation(),
                    e);
        }
    }

    /** Refused when the shard holds the tenant otherwise, or cannot hold a tenant of that name. */
    private StepResult prepare(Connection connection, Provisioning operation, MoverToken token) throws SQLException {
        StepResult reserved = first(operation, () -> parts.guard().reserve(connection, token, operation.generation()));
        if (!reserved.ok()) {
            return reserved;
        }
        steps.accept(ProvisioningStep.RESERVED);
        StepResult verified = parts.guard().markVerified(connection, token, operation.generation());
        steps.accept(ProvisioningStep.VERIFIED);
        return verified;
    }

    private void activate(Connection connection, Provisioning operation, MoverToken token) throws SQLException {
        StepResult active;
        try {
            active = parts.guard().activate(connection, token, operation.generation());
        } catch (SQLException e) {
            if (SqlStates.find(e, SqlStates.OTHER_MOVER) != null && ownedByThis(connection, operation)) {
                return; // a repair was faster
            }
            throw e;
        }
        if (!active.ok()) {
            throw unfinished(operation, true, active.toString(), null);
        }
    }

    private boolean ownedByThis(Connection connection, Provisioning operation) throws SQLException {
        return parts.guard()
                .ownership(connection, operation.tenant())
                .filter(row -> isOwned(row, operation))
                .isPresent();
    }

    private static boolean isOwned(Ownership row, Provisioning operation) {
        return row.state() == OwnershipState.OWNED
                && row.generation() == operation.generation()
                && operation.operation().equals(row.move());
    }

    private MisroutedWriteException giveUp(
            Connection connection, Provisioning operation, MoverToken token, StepResult refused) throws SQLException {
        StepResult released = parts.guard().release(connection, token, operation.generation());
        MisroutedWriteException failure = new MisroutedWriteException(
                "shard " + operation.shard() + " (generation " + operation.generation() + ") - does not take tenant "
                        + operation.tenant() + " (" + refused.why() + "); where it holds the tenant although the"
                        + " directory does not know it, reconcile the two (released=" + released + ", operation="
                        + operation.operation() + ")",
                null);
        return released.ok() ? undoing(operation, failure) : leaving(operation, failure);
    }

    private RuntimeException failed(Provisioning operation, boolean committed, SQLException e) {
        if (SqlStates.find(e, SqlStates.OTHER_MOVER) != null) {
            return late(operation, "the shard refused its epoch", e);
        }
        String state = String.valueOf(e.getSQLState());
        return unfinished(operation, committed, "sqlstate=" + state, e);
    }

    /** Whether the shard did the last step may be unknown: repair() finds out, and need not wait for the lease. */
    private ShardUnavailableException unfinished(
            Provisioning operation, boolean committed, String why, @Nullable SQLException cause) {
        return leaving(
                operation,
                new ShardUnavailableException(
                        operation.shard(),
                        "shard " + operation.shard() + " (generation " + operation.generation()
                                + ") - failed while a tenant was being created; tenants().repair() will "
                                + (committed ? "finish" : "undo") + " it (" + why + ", operation="
                                + operation.operation() + ")",
                        cause));
    }

    /** Gives the lease up, so that the next repair need not wait for it. */
    private <E extends HomeshardException> E leaving(Provisioning operation, E failure) {
        try {
            parts.admin().leaveCreate(operation);
        } catch (HomeshardException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private static TenantNotReadyException late(Provisioning operation, String why, @Nullable SQLException cause) {
        return new TenantNotReadyException(
                "tenant " + operation.tenant() + " - its creation took longer than the lease and was taken over by a"
                        + " repair; look whether it exists before creating it again (" + why + ", operation="
                        + operation.operation() + ")",
                cause);
    }
}
