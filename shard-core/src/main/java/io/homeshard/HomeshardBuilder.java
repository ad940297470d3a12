package io.homeshard;

import io.homeshard.cache.CacheConfig;
import io.homeshard.cache.PlacementCache;
import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.PlacementChange;
import io.homeshard.directory.PlacementFeed;
import io.homeshard.guard.WriteGuard;
import io.homeshard.health.ShardHealth;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import io.homeshard.placement.HashRing;
import io.homeshard.placement.PlacementPolicy;
import io.homeshard.pool.PoolConfig;
import io.homeshard.pool.ShardPools;
import io.homeshard.routing.Router;
import io.homeshard.routing.RouterParts;
import io.homeshard.routing.RoutingDataSource;
import io.homeshard.routing.Translation;
import io.homeshard.tenants.Tenants;
import io.homeshard.tenants.TenantsParts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what a {@link Homeshard} needs. {@code directory}, {@code credentials} and {@code tables} are required. */
public final class HomeshardBuilder {
    private static final Logger log = LoggerFactory.getLogger(HomeshardBuilder.class);

    private @Nullable DataSource directory;
    private @Nullable Function<Shard, ShardCredentials> credentials;
    private @Nullable TenantSchema tables;

    private PlacementPolicy policy = HashRing.create();

    private ShardListener listener = ShardListener.NONE;
    private Clocks clocks = Clocks.system();
    private PoolConfig pool = HomeshardConfig.defaults().pool();
    private CacheConfig cache = HomeshardConfig.defaults().cache();
    private Duration maxScopeAge = HomeshardConfig.defaults().maxScopeAge();
    private boolean listen = HomeshardConfig.defaults().listen();

    HomeshardBuilder() {}

    /**
     * The directory database.
     *
     * @param dataSource hands out connections in autocommit, best from a small pool of its own with short timeouts;
     *     never the routed data source. Homeshard does not close it
     * @return this
     * @throws IllegalArgumentException when it is the routed data source, or a wrapper of it
     */
    public HomeshardBuilder directory(DataSource dataSource) {
        if (isRouted(dataSource)) {
            throw new IllegalArgumentException("directory must not be the routed data source, which itself asks the"
                    + " directory: hand in a data source of the directory database");
        }
        this.directory = dataSource;
        return this;
    }

    private static boolean isRouted(DataSource dataSource) {
        try {
            return dataSource instanceof RoutingDataSource || dataSource.isWrapperFor(RoutingDataSource.class);
        } catch (SQLException e) {
            log.debug("homeshard - the directory's data source does not say what it wraps", e);
            return false;
        }
    }

    /**
     * How to log in on a shard.
     *
     * @param byShard asked for every new physical connection, so that rotated passwords are seen; quick, thread-safe
     * @return this
     */
    public HomeshardBuilder credentials(Function<Shard, ShardCredentials> byShard) {
        this.credentials = byShard;
        return this;
    }

    /**
     * The application's tables.
     *
     * @param declaration which tables hold tenants' rows
     * @return this
     */
    public HomeshardBuilder tables(TenantSchema declaration) {
        this.tables = declaration;
        return this;
    }

    /**
     * Limits of the pool of each shard.
     *
     * @param config the limits
     * @return this
     */
    public HomeshardBuilder pool(PoolConfig config) {
        this.pool = config;
        return this;
    }

    /**
     * Limits of the placement cache.
     *
     * @param config the limits
     * @return this
     */
    public HomeshardBuilder cache(CacheConfig config) {
        this.cache = config;
        return this;
    }

    /**
     * How long a pinned route may be used.
     *
     * @param age positive
     * @return this
     */
    public HomeshardBuilder maxScopeAge(Duration age) {
        this.maxScopeAge = age;
        return this;
    }

    /**
     * Whether changes of placements are heard at once, over a connection of its own.
     *
     * @param enabled false to learn of them by reading only
     * @return this
     */
    public HomeshardBuilder listen(boolean enabled) {
        this.listen = enabled;
        return this;
    }

    /**
     * All numbers at once.
     *
     * @param config replaces pool, cache, maxScopeAge and listen
     * @return this
     */
    public HomeshardBuilder config(HomeshardConfig config) {
        return pool(config.pool())
                .cache(config.cache())
                .maxScopeAge(config.maxScopeAge())
                .listen(config.listen());
    }

    /**
     * Who chooses the shard of a new tenant; {@link HashRing} when not said.
     *
     * @param placement the policy
     * @return this
     */
    public HomeshardBuilder policy(PlacementPolicy placement) {
        this.policy = placement;
        return this;
    }

    /**
     * Who hears facts.
     *
     * @param observer quick and thread-safe; what it throws is logged and swallowed
     * @return this
     */
    public HomeshardBuilder listener(ShardListener observer) {
        this.listener = ShardListener.guarded(observer);
        return this;
    }

    /**
     * Time, for tests.
     *
     * @param time the clocks
     * @return this
     */
    public HomeshardBuilder clocks(Clocks time) {
        this.clocks = time;
        return this;
    }

    /**
     * Builds. Connects to no shard; a directory that cannot be reached, or has no schema yet, is found out at first
     * use.
     *
     * @return Homeshard
     * @throws IllegalStateException when a required part is missing
     * @throws SchemaMismatchException when the schema of the directory does not fit this library
     */
    public Homeshard build() {
        HomeshardConfig config = new HomeshardConfig(pool, cache, maxScopeAge, listen);
        DataSource source = required(directory, "directory");
        Function<Shard, ShardCredentials> logins = required(credentials, "credentials");
        TenantSchema declaration = required(tables, "tables");

        Lifetime lifetime = new Lifetime();
        DataSource database = new OpenDataSource(source, lifetime);
        Directory truth = Directory.jdbc(database);
        DirectoryAdmin directAdmin = DirectoryAdmin.jdbc(database);
        refuseMisfit(directAdmin);
        PlacementCache placements = PlacementCache.over(truth, config.cache(), clocks, listener);
        DirectoryAdmin admin = new RememberingAdmin(directAdmin, placements);
        WriteGuard guard = WriteGuard.create();
        ShardPools pools = ShardPools.hikari(config.pool(), logins, new IdentityCheck(admin, guard), clocks);
        ShardHealth health = ShardHealth.probing(pools, listener, clocks);
        Router router = new OpenRouter(
                Router.of(new RouterParts(placements, pools, health, listener, clocks, config.maxScopeAge())),
                lifetime);
        HomeshardParts parts = new HomeshardParts(
                database,
                truth,
                admin,
                MoveJournal.jdbc(database),
                guard,
                pools,
                health,
                policy,
                declaration,
                listener,
                clocks,
                config);
        feed(database, placements, config.listen()).ifPresent(feed -> lifetime.atEnd(feed::close));
        lifetime.atEnd(health::close);
        lifetime.atEnd(pools::close);
        return new Homeshard(
                parts,
                Tenants.of(new TenantsParts(truth, admin, guard, pools, policy)),
                router,
                new Translation(router, placements, truth),
                lifetime);
    }

    private Optional<PlacementFeed> feed(DataSource database, PlacementCache placements, boolean wanted) {
        return wanted
                ? Optional.of(PlacementFeed.listen(database, change -> tell(placements, change), clocks))
                : Optional.empty();
    }

    private static void tell(PlacementCache placements, PlacementChange change) {
        if (change instanceof PlacementChange.Placed placed) {
            placements.accept(placed.placement());
        } else if (change instanceof PlacementChange.Removed removed) {
            placements.removed(removed.tenant(), removed.mapVersion());
        } else {
            placements.reset();
        }
    }

    /** A schema that is not there yet is what the roll-out is for; one that is there and does not fit is refused. */
    private static void refuseMisfit(DirectoryAdmin admin) {
        try {
            admin.identity();
        } catch (SchemaMismatchException e) {
            if (!(e.getCause() instanceof SQLException)) {
                throw e;
            }
            log.debug("homeshard - directory has no schema yet", e);
        } catch (DirectoryUnavailableException e) {
            log.warn("homeshard - directory cannot be reached at start, its first use will try again", e);
        }
    }

    private static <T> T required(@Nullable T part, String name) {
        if (part == null) {
            throw new IllegalStateException(name + " must be set before build()");
        }
        return Objects.requireNonNull(part, name);
    }
}
