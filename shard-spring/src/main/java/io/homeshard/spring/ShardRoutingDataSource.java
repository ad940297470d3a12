package io.homeshard.spring;

import io.homeshard.Homeshard;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Spring's door to the router: the lookup key is the shard of the current scope's route, the target is Homeshard's own
 * routing DataSource, so both doors obey one set of rules.
 *
 * <p>There is no default target, no lenient fallback and no map of targets: shards that are added at run time are seen
 * at the next call. Outside a scope every {@code getConnection} fails with {@code NoTenantException} as its cause.
 * Thread-safe once constructed. Does not own the {@link Homeshard} it is given.
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

    @Override
    public void afterPropertiesSet() {
        // There is no map of targets to resolve: the directory is asked.
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return homeshard.router().route().shard();
    }

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
