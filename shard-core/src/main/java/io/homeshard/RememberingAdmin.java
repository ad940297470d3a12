package io.homeshard;

import io.homeshard.cache.PlacementCache;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.DirectoryIdentity;
import io.homeshard.directory.Provisioning;
import io.homeshard.directory.ShardLoad;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the directory that the cache of this instance hears of at once: whoever creates a tenant or sets a status
 * here sees it in the next call, with or without notifications.
 */
final class RememberingAdmin implements DirectoryAdmin {
    private final DirectoryAdmin admin;
    private final PlacementCache cache;

    RememberingAdmin(DirectoryAdmin admin, PlacementCache cache) {
        this.admin = admin;
        this.cache = cache;
    }

    @Override
    public DirectoryIdentity identity() {
        return admin.identity();
    }

    @Override
    public Shard addShard(Shard shard) {
        try {
            return admin.addShard(shard);
        } finally {
            cache.refreshShards();
        }
    }

    @Override
    public void setStatus(ShardId shard, ShardStatus status) {
        try {
            admin.setStatus(shard, status);
        } finally {
            cache.refreshShards();
        }
    }

    @Override
    public void removeShard(ShardId shard) {
        try {
            admin.removeShard(shard);
        } finally {
            cache.refreshShards();
        }
    }

    @Override
    public Set<ShardId> neverRolledOut() {
        return admin.neverRolledOut();
    }

    @Override
    public void bootstrapped(ShardId shard) {
        try {
            admin.bootstrapped(shard);
        } finally {
            cache.refreshShards();
        }
    }

    @Override
    public Provisioning beginCreate(TenantId tenant, ShardId shard, UUID operation, Duration lease) {
        try {
            return admin.beginCreate(tenant, shard, operation, lease);
        } finally {
            cache.refresh(tenant);
        }
    }

    @Override
    public StepResult commitCreate(Provisioning provisioning) {
        try {
            return admin.commitCreate(provisioning);
        } finally {
            cache.refresh(provisioning.tenant());
        }
    }

    @Override
    public StepResult endCreate(Provisioning provisioning) {
        return admin.endCreate(provisioning);
    }

    @Override
    public StepResult undoCreate(Provisioning provisioning) {
        try {
            return admin.undoCreate(provisioning);
        } finally {
            cache.refresh(provisioning.tenant());
        }
    }

    @Override
    public StepResult leaveCreate(Provisioning provisioning) {
        return admin.leaveCreate(provisioning);
    }

    @Override
    public List<Provisioning> takeOverCreates(Duration lease) {
        return admin.takeOverCreates(lease);
    }

    @Override
    public List<Placement> list(Optional<TenantId> after, int limit) {
        return admin.list(after, limit);
    }

    @Override
    public List<Placement> listOn(ShardId shard, Optional<TenantId> after, int limit) {
        return admin.listOn(shard, after, limit);
    }

    @Override
    public List<ShardLoad> loads() {
        return admin.loads();
    }

    @Override
    public void setCapacity(ShardId shard, @Nullable Long maxTenants, @Nullable Long maxBytes) {
        admin.setCapacity(shard, maxTenants, maxBytes);
    }

    @Override
    public void requireRegion(TenantId tenant, @Nullable String region) {
        admin.requireRegion(tenant, region);
    }
}
