package io.homeshard.migrate.gather;

import io.homeshard.model.TenantId;

/**
 * Gathers what lies about of a tenant: rows on shards that do not own it, left there by misrouting before there was a guard,
 * by half a restore, or by an owner that was outdated. Thread-safe.
 */
public interface Gather {
    /**
     * Over these parts.
     *
     * @param parts the parts
     * @return a gathering
     */
    static Gather of(GatherParts parts) {
        return new ShardByShard(parts);
    }

    /**
     * Compares what every other shard holds of the tenant with what its home has, and does with it what was ordered. While
     * rows are written at home the tenant's writers wait, a batch at a time; on the other shards nobody can write it
     * anyway. May be repeated, also after a call that was broken off: what came home before is found to be a copy then.
     *
     * @param tenant an active tenant without unfinished move
     * @param handling what to do
     * @return what was found and what became of it
     * @throws io.homeshard.model.UnknownTenantException when the directory does not know it
     * @throws GatherException when its home does not own it, it is being moved, or a shard failed on the way
     */
    GatherReport run(TenantId tenant, Handling handling);
}
