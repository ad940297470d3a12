package io.homeshard.tenants;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

final class DirectoryShards implements Shards {
    private final Directory directory;
    private final DirectoryAdmin admin;

    DirectoryShards(Directory directory, DirectoryAdmin admin) {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.admin = Objects.requireNonNull(admin, "admin");
    }

    @Override
    public Shard add(Shard shard) {
        return admin.addShard(shard);
    }

    @Override
    public Optional<Shard> find(ShardId shard) {
        return directory.shard(shard);
    }

    @Override
    public List<Shard> list() {
        return directory.shards();
    }

    @Override
    public void setStatus(ShardId shard, ShardStatus status) {
        admin.setStatus(shard, status);
    }

    @Override
    public void remove(ShardId shard) {
        admin.removeShard(shard);
    }
}
