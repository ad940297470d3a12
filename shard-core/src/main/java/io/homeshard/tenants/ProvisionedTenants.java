package io.homeshard.tenants;

import io.homeshard.directory.Provisioning;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementException;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses shards and hands the work to {@link TenantCreation} and {@link CreationRepair}. */
final class ProvisionedTenants implements Tenants {
    private static final Logger LOG = LoggerFactory.getLogger(ProvisionedTenants.class);

    /** A creation that is silent for longer may be taken over. It takes some ten round trips. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private final TenantsParts parts;
    private final Duration lease;
    private final Consumer<ProvisioningStep> steps;

    ProvisionedTenants(TenantsParts parts) {
        this(parts, LEASE, step -> {});
    }

    ProvisionedTenants(TenantsParts parts, Duration lease, Consumer<ProvisioningStep> steps) {
        this.parts = Objects.requireNonNull(parts, "parts");
        this.lease = lease;
        this.steps = steps;
    }

    @Override
    public Placement create(TenantId tenant) {
        List<Shard> shards = parts.directory().shards();
        List<Shard> candidates = shards.stream().filter(LeftOut::isCandidate).toList();
        if (candidates.isEmpty()) {
            throw LeftOut.all(shards, parts.admin().neverRolledOut());
        }
        return createOn(tenant, parts.policy().place(tenant, candidates));
    }

    @Override
    public Placement createOn(TenantId tenant, ShardId shardId) {
        Shard shard = parts.directory()
                .shard(shardId)
                .orElseThrow(() -> new PlacementException(
                        "shard " + shardId + " - is not in the directory; add it with shards().add()", null));
        if (shard.status() != ShardStatus.ACTIVE) {
            throw LeftOut.named(shard, parts.admin().neverRolledOut());
        }
        UUID id = UUID.randomUUID();
        Provisioning operation = Asking.again(() -> parts.admin().beginCreate(tenant, shardId, id, lease));
        new TenantCreation(parts, steps).run(operation, shard);
        return created(operation);
    }

    private Placement created(Provisioning operation) {
        TenantId tenant = operation.tenant();
        try {
            return parts.directory()
                    .find(tenant)
                    .orElseThrow(() -> new UnknownTenantException(
                            "tenant " + tenant + " - was created and is gone again: somebody deleted it", null));
        } catch (DirectoryUnavailableException e) {
            LOG.info("tenants - a tenant was created, its map version could not be read afterwards", e);
            return new Placement(tenant, operation.shard(), operation.generation(), PlacementState.ACTIVE, 0);
        }
    }

    @Override
    public Optional<Placement> find(TenantId tenant) {
        return parts.directory().find(tenant);
    }

    @Override
    public List<Placement> list(Optional<TenantId> after, int limit) {
        return parts.admin().list(after, limit);
    }

    @Override
    public RepairReport repair() {
        List<TenantId> finished = new ArrayList<>();
        List<TenantId> undone = new ArrayList<>();
        List<RepairReport.Left> left = new ArrayList<>();
        CreationRepair repair = new CreationRepair(parts, steps);
        for (Provisioning operation : parts.admin().takeOverCreates(lease)) {
            Optional<String> problem = repair.end(operation);
            if (problem.isPresent()) {
                left.add(new RepairReport.Left(operation.tenant(), operation.shard(), problem.get()));
            } else if (operation.committed()) {
                finished.add(operation.tenant());
            } else {
                undone.add(operation.tenant());
            }
        }
        RepairReport report = new RepairReport(finished, undone, left);
        if (!finished.isEmpty() || !undone.isEmpty() || !left.isEmpty()) {
            LOG.info(
                    "tenants - creations repaired (finished={}, undone={}, left={})",
                    finished.size(),
                    undone.size(),
                    left.size());
        }
        return report;
    }
}
