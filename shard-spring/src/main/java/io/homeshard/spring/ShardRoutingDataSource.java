package io.homeshard.spring;

import io.homeshard.Homeshard;
import io.homeshard.model.ShardId;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Spring's door to the router, of the type that Spring's users know. Its one target is Homeshard's own routing
 * DataSource, so both doors obey one set of rules: the router resolves the route, pins it to the scope and borrows the
 * connection in one go, and says in SQLExceptions why it did not. The lookup key is not asked on that way, since a key
 * that is looked up first and used later could differ from the shard that is connected.
 *
 * <p>There is no default target, no lenient fallback and no map of targets: shards that are added at run time are seen
 * at the next call. Outside a scope every {@code getConnection} fails with {@code NoTenantException} as its cause; user
 * and password cannot be handed in. {@code unwrap} needs no scope. Thread-safe. Does not own the {@link Homeshard} it
 * is given.
 */
public final class ShardRoutingDataSource extends AbstractRoutingDataSource {
    private final Homeshard homeshard;

    /**
     * A DataSource over a router.
     *
     * @param homeshard the assembled library
     */
    public ShardRoutingDataSource(Homeshard homeshard) {
        this.homeshard = homeshard;
    }

    /** Does nothing: there is no map of targets to resolve, the directory is asked. */
    @Override
    public void afterPropertiesSet() {}

    /** Does nothing, as {@link #afterPropertiesSet()}. */
    @Override
    public void initialize() {}

    /**
     * None, so that tools which look at each target, such as health checks, find nothing to look at.
     *
     * @return an empty map
     */
    @Override
    public Map<Object, DataSource> getResolvedDataSources() {
        return Map.of();
    }

    /**
     * The shard to which the current scope's connections lead. {@code AbstractRoutingDataSource} demands the method;
     * {@link #determineTargetDataSource()} does without it.
     *
     * @return the shard of the route, which is resolved and pinned when it was not yet
     */
    @Override
    protected ShardId determineCurrentLookupKey() {
        return homeshard.router().route().shard();
    }

    /**
     * The routing DataSource, whatever scope is open.
     *
     * @return always the same
     */
    @Override
    protected DataSource determineTargetDataSource() {
        return homeshard.dataSource();
    }

    /**
     * Refused: the directory, not a map, says where shards are.
     *
     * @param targetDataSources ignored
     */
    @Override
    public void setTargetDataSources(Map<Object, Object> targetDataSources) {
        throw new UnsupportedOperationException(
                "shards come from the directory: add one by homeshard.shards().add(..)");
    }

    /**
     * Refused: a default shard would be silent misplacement.
     *
     * @param defaultTargetDataSource ignored
     */
    @Override
    public void setDefaultTargetDataSource(Object defaultTargetDataSource) {
        throw new UnsupportedOperationException("there is no default shard: open a scope for the tenant");
    }

    /**
     * Refuses {@code true}.
     *
     * @param lenientFallback must be false
     */
    @Override
    public void setLenientFallback(boolean lenientFallback) {
        if (lenientFallback) {
            throw new UnsupportedOperationException("lenientFallback must be false: an unknown tenant has no shard");
        }
    }
}
