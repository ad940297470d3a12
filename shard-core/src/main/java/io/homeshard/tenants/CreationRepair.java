package io.homeshard.tenants;

import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.Shard;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends one creation under the epoch with which it was taken over: first the shard's fence, then the decision. */
final class CreationRepair {
    private static final Logger LOG = LoggerFactory.getLogger(CreationRepair.class);

    private final TenantsParts parts;
    private final Consumer<ProvisioningStep> steps;

    CreationRepair(TenantsParts parts, Consumer<ProvisioningStep> steps) {
        this.parts = parts;
        this.steps = steps;
    }

    /** Empty when it is ended, else what stood in the way. */
    Optional<String> end(Provisioning operation) {
        steps.accept(ProvisioningStep.REPAIR_TAKEN);
        Optional<String> problem;
        try {
            problem = settle(operation);
        } catch (SQLException | HomeshardException e) {
            LOG.warn("tenant repair - shard {} failed", operation.shard(), e);
            problem = Optional.of(why(operation, e));
        }
        if (problem.isPresent()) {
            leave(operation);
        }
        return problem;
    }

    private Optional<String> settle(Provisioning operation) throws SQLException {
        Optional<Shard> shard = parts.directory().shard(operation.shard());
        if (shard.isEmpty()) {
            return Optional.of("shard " + operation.shard() + " - is not in the directory");
        }
        MoverToken token = ShardSession.token(operation);
        try (Connection connection = ShardSession.open(parts.pools(), shard.get(), token)) {
            // from here on the old creator can do nothing here, whether or not it has left a row
            ShardFence.raise(parts.guard(), connection, token);
            steps.accept(ProvisioningStep.REPAIR_FENCED);
            StepResult onShard = operation.committed()
                    ? activate(connection, operation, token)
                    : release(connection, operation, token);
            if (!onShard.ok()) {
                return Optional.of("shard " + operation.shard() + " - " + onShard);
            }
        }
        steps.accept(ProvisioningStep.REPAIR_SETTLED);
        StepResult ended = operation.committed()
                ? parts.admin().endCreate(operation)
                : parts.admin().undoCreate(operation);
        return ended.ok() ? Optional.empty() : Optional.of("directory - " + ended);
    }

    /** Looks into all tables, whatever their size. */
    private StepResult release(Connection connection, Provisioning operation, MoverToken token) throws SQLException {
        ShardSession.forManyRows(connection);
        return parts.guard().release(connection, token, operation.generation());
    }

    /** The directory has said that the tenant is here; a shard that has lost its row in a fail-over gets it again. */
    private StepResult activate(Connection connection, Provisioning operation, MoverToken token) throws SQLException {
        long generation = operation.generation();
        if (parts.guard().ownership(connection, operation.tenant()).isEmpty()) {
            StepResult reserved = parts.guard().reserve(connection, token, generation);
            if (!reserved.ok()) {
                return reserved;
            }
            parts.guard().markVerified(connection, token, generation);
        }
        return parts.guard().activate(connection, token, generation);
    }

    private void leave(Provisioning operation) {
        try {
            parts.admin().leaveCreate(operation);
        } catch (HomeshardException e) {
            LOG.debug("tenant repair - lease not given up, it runs out by itself", e);
        }
    }

    private static String why(Provisioning operation, Exception e) {
        SQLException sql = SqlStates.find(e, "");
        String state = sql == null ? "none" : String.valueOf(sql.getSQLState());
        return "shard " + operation.shard() + " - could not be asked (sqlstate=" + state + ")";
    }
}
