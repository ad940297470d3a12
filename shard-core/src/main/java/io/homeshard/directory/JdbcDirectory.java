package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads the directory, one statement a call. Remembers nothing. */
final class JdbcDirectory implements Directory {
    private static final String FIND = """
            SELECT p.tenant_id, p.shard_id, p.generation, p.state, p.map_version
              FROM homeshard.placement p WHERE p.tenant_id = ?""";

    static final String SHARD_COLUMNS = """
            s.shard_id, s.shard_number, s.jdbc_url, s.region, s.weight, s.status, s.dedicated, s.incarnation""";

    private static final String SHARD =
            "SELECT " + SHARD_COLUMNS + " FROM homeshard.shard s WHERE s.removed_at IS NULL AND s.shard_id = ?";

    private static final String SHARDS =
            "SELECT " + SHARD_COLUMNS + " FROM homeshard.shard s WHERE s.removed_at IS NULL ORDER BY s.shard_id";

    // a move that has flipped has its tenant in the placements
    private static final String ADMISSION = """
            SELECT (SELECT count(*) FROM homeshard.placement p WHERE p.shard_id = s.shard_id AND p.tenant_id <> t.id)
                 + (SELECT count(*) FROM homeshard.move m JOIN homeshard.placement p USING (tenant_id)
                     WHERE m.target = s.shard_id AND p.shard_id <> s.shard_id AND m.tenant_id <> t.id
                       AND m.phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED')),
                   s.max_tenants, s.max_bytes, (SELECT p.region FROM homeshard.placement p WHERE p.tenant_id = t.id)
              FROM homeshard.shard s, (SELECT ?::text AS id) t WHERE s.shard_id = ?""";

    private final DirectoryCalls calls;

    JdbcDirectory(DataSource dataSource) {
        this.calls = new DirectoryCalls(dataSource);
    }

    @Override
    public Optional<Placement> find(TenantId tenant) {
        return calls.call(directory -> Jdbc.find(directory, FIND, Rows::placement, tenant.value()));
    }

    @Override
    public Optional<Shard> shard(ShardId shard) {
        return calls.call(directory -> Jdbc.find(directory, SHARD, Rows::shard, shard.value()));
    }

    @Override
    public List<Shard> shards() {
        return calls.call(directory -> Jdbc.list(directory, SHARDS, Rows::shard));
    }

    @Override
    public Admission admission(TenantId tenant, ShardId shard) {
        return calls.call(directory -> Jdbc.find(
                        directory,
                        ADMISSION,
                        row -> new Admission(
                                row.getLong(1),
                                row.getObject(2, Long.class),
                                row.getObject(3, Long.class),
                                row.getString(4)),
                        tenant.value(),
                        shard.value()))
                .orElse(Admission.FREE);
    }
}
