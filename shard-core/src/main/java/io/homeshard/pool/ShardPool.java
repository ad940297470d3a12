package io.homeshard.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** The pool of one shard at one address. */
final class ShardPool {
    private final Shard shard;
    private final PoolConfig config;
    private final ShardDataSource source;
    private final HikariDataSource hikari;
    private final HikariPoolMXBean figures;
    private volatile boolean retired;

    private ShardPool(Shard shard, PoolConfig config, ShardDataSource source, HikariDataSource hikari) {
        this.shard = shard;
        this.config = config;
        this.source = source;
        this.hikari = hikari;
        this.figures = hikari.getHikariPoolMXBean();
    }

    /** Makes the pool without connecting. */
    static ShardPool create(Shard shard, PoolConfig config, ShardDatabase database) {
        ShardDataSource source = new ShardDataSource(database, shard);
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName("homeshard-" + shard.id());
        hikari.setDataSource(source);
        hikari.setMaximumPoolSize(config.maximumSize());
        hikari.setMinimumIdle(config.minimumIdle());
        hikari.setConnectionTimeout(config.connectionTimeout().toMillis());
        hikari.setValidationTimeout(Math.max(250, config.connectionTimeout().toMillis() / 2));
        hikari.setIdleTimeout(config.idleTimeout().toMillis());
        hikari.setMaxLifetime(config.maxLifetime().toMillis());
        hikari.setKeepaliveTime(0);
        hikari.setInitializationFailTimeout(-1);
        hikari.setExceptionOverride(new Eviction());
        return new ShardPool(shard, config, source, new HikariDataSource(hikari));
    }

    /** Whether this pool leads to the database that the directory means; weight or status may differ. */
    boolean serves(Shard wanted) {
        return shard.incarnation() == wanted.incarnation() && shard.jdbcUrl().equals(wanted.jdbcUrl());
    }

    boolean retired() {
        return retired;
    }

    Connection borrow() throws SQLException {
        int waiting = figures.getThreadsAwaitingConnection();
        if (waiting >= config.maximumWaiting()) {
            throw refused("too many threads wait, limit " + config.maximumWaiting(), null, false);
        }
        try {
            return hikari.getConnection();
        } catch (SQLException e) {
            boolean exhausted = figures.getTotalConnections() >= config.maximumSize();
            SQLException why = source.lastFailure();
            boolean dead = !exhausted && (why != null || figures.getActiveConnections() == 0);
            String limit = " within " + config.connectionTimeout().toMillis() + " ms";
            throw refused(
                    (exhausted ? "pool is exhausted, no connection became free" : "cannot connect") + limit,
                    why == null || exhausted ? e : why,
                    dead);
        }
    }

    PoolStats stats() {
        return new PoolStats(
                figures.getActiveConnections(),
                figures.getIdleConnections(),
                figures.getThreadsAwaitingConnection(),
                config.maximumSize());
    }

    /** Nobody new may come; idle connections end now, borrowed ones when they are given back. */
    void retire() {
        retired = true;
        figures.softEvictConnections();
    }

    boolean unused() {
        figures.softEvictConnections();
        return figures.getTotalConnections() == 0;
    }

    void close() {
        hikari.close();
    }

    private SQLTransientConnectionException refused(
            String what, @org.jspecify.annotations.Nullable SQLException cause, boolean dead) {
        PoolStats now = stats();
        String message = "shard " + shard.id() + " - " + what + " (active=" + now.active() + ", idle=" + now.idle()
                + ", waiting=" + now.waiting() + ", limit=" + now.limit() + ")";
        return dead
                ? new ShardUnreachableException(message, cause)
                : new SQLTransientConnectionException(message, "08001", cause);
    }
}
