package io.homeshard.observe;

import io.homeshard.model.Route;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Swallows what a listener throws: an observer must never break what it observes. */
record GuardedListener(ShardListener listener) implements ShardListener {
    private static final Logger log = LoggerFactory.getLogger(ShardListener.class);

    @Override
    public void routeResolved(Route route) {
        try {
            listener.routeResolved(route);
        } catch (RuntimeException e) {
            swallow("routeResolved", e);
        }
    }

    @Override
    public void guardRefused(Route route, String sqlState) {
        try {
            listener.guardRefused(route, sqlState);
        } catch (RuntimeException e) {
            swallow("guardRefused", e);
        }
    }

    @Override
    public void shardDown(ShardId shard, Throwable cause) {
        try {
            listener.shardDown(shard, cause);
        } catch (RuntimeException e) {
            swallow("shardDown", e);
        }
    }

    @Override
    public void shardUp(ShardId shard) {
        try {
            listener.shardUp(shard);
        } catch (RuntimeException e) {
            swallow("shardUp", e);
        }
    }

    @Override
    public void placementChanged(TenantId tenant, long mapVersion) {
        try {
            listener.placementChanged(tenant, mapVersion);
        } catch (RuntimeException e) {
            swallow("placementChanged", e);
        }
    }

    private static void swallow(String event, RuntimeException failure) {
        log.warn("listener - threw on {}, ignored", event, failure);
    }
}
