package io.homeshard.migrate.gather;

import io.homeshard.directory.Gathering;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks every shard but the home. */
final class ShardByShard implements Gather {
    private static final Logger log = LoggerFactory.getLogger(ShardByShard.class);
    private static final String SETTINGS = """
            SELECT set_config('row_security', 'off', false), set_config('lock_timeout', '5s', false),
                   set_config('synchronous_commit', 'on', false), set_config('statement_timeout', ?, false),
                   set_config('idle_in_transaction_session_timeout', ?, false)""";

    /** A process that stops in the middle must not keep the tenant's lock: its writers wait for it. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** For the session that only reads, and waits in its snapshot for what is done with each page. */
    private static final Duration UNLIMITED = Duration.ZERO;

    /** The server gives up first. */
    private static final Duration SILENCE_BEYOND_STATEMENT = Duration.ofSeconds(15);

    private final GatherParts parts;

    ShardByShard(GatherParts parts) {
        this.parts = parts;
    }

    @Override
    public GatherReport run(TenantId tenant, Handling handling) {
        Placement placement = parts.directory().find(tenant).orElseThrow(() -> UnknownTenantException.of(tenant));
        requireQuiet(placement);
        long epoch = handling == Handling.LIST ? 1 : parts.mending().liftEpochs(0);
        MoverToken token = new MoverToken(tenant, reservation(tenant), epoch, 1);
        try (Connection home = open(shard(placement.shard()), token, IDLE)) {
            requireOwned(home, placement);
            TenantCatalog catalog = TenantCatalog.read(home, parts.tables());
            HomeSide side = new HomeSide(
                    placement.shard(), home, tenant, placement.generation(), parts.clocks(), parts.patience());
            return new Round(placement, side, catalog, token, handling).run();
        } catch (SQLException e) {
            throw new GatherException(
                    "tenant " + tenant
                            + " - was not gathered to the end, what was done is in the directory; gather again"
                            + " (sqlstate=" + e.getSQLState() + "): " + e.getMessage(),
                    e);
        }
    }

    /** Always the same for one tenant, so that a call that was broken off is taken up by the next. */
    private static UUID reservation(TenantId tenant) {
        return UUID.nameUUIDFromBytes(("homeshard gathering " + tenant.value()).getBytes(StandardCharsets.UTF_8));
    }

    private void requireQuiet(Placement placement) {
        Optional<MoveRecord> move = parts.journal().ofTenant(placement.tenant()).stream()
                .filter(m -> !m.phase().finished())
                .findFirst();
        if (placement.state() != PlacementState.ACTIVE || move.isPresent()) {
            throw new GatherException(
                    "tenant " + placement.tenant() + " - is not at rest, gather when it is (state=" + placement.state()
                            + ", move="
                            + move.map(m -> m.id() + " " + m.phase()).orElse("none") + ")",
                    null);
        }
    }

    private void requireOwned(Connection home, Placement placement) throws SQLException {
        Optional<Ownership> row = parts.guard().ownership(home, placement.tenant());
        if (row.filter(r -> r.state() == OwnershipState.OWNED && r.generation() == placement.generation())
                .isEmpty()) {
            throw new GatherException(
                    "shard " + placement.shard() + " (generation " + placement.generation()
                            + ") - does not own the tenant as the directory says; reconcile first",
                    null);
        }
    }

    private Shard shard(ShardId id) {
        return parts.directory()
                .shard(id)
                .orElseThrow(() -> new GatherException("shard " + id + " - is not in the directory", null));
    }

    private Connection open(Shard shard, MoverToken token, Duration idle) throws SQLException {
        Connection connection = parts.pools().open(shard, WriteGuard.applicationName(token));
        try {
            long silence = parts.patience().plus(SILENCE_BEYOND_STATEMENT).toMillis();
            connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, silence));
            Jdbc.run(connection, SETTINGS, parts.patience().toMillis() + "ms", idle.toMillis() + "ms");
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** One call under way. */
    private final class Round {
        private final Placement placement;
        private final HomeSide home;
        private final TenantCatalog catalog;
        private final MoverToken token;
        private final Handling handling;
        private final UUID id = UUID.randomUUID();
        private final Map<ShardId, String> skipped = new TreeMap<>();

        Round(Placement placement, HomeSide home, TenantCatalog catalog, MoverToken token, Handling handling) {
            this.placement = placement;
            this.home = home;
            this.catalog = catalog;
            this.token = token;
            this.handling = handling;
        }

        GatherReport run() throws SQLException {
            List<TableDigest> before = TenantDigest.read(home.connection(), catalog, token.tenant());
            List<StrayTable> found = everywhere(Handling.LIST);
            GatherReport listed = report(found, before, before);
            if (handling == Handling.LIST) {
                return listed;
            }
            StepResult begun = parts.mending()
                    .beginGathering(
                            new Gathering(id, token.tenant(), placement.shard(), placement.generation(), token.epoch()),
                            GatherJson.found(listed));
            if (!begun.ok()) {
                throw new GatherException("tenant " + token.tenant() + " - was not gathered: " + begun, null);
            }
            skipped.clear();
            List<StrayTable> strays = everywhere(handling);
            GatherReport done = report(strays, before, TenantDigest.read(home.connection(), catalog, token.tenant()));
            parts.mending().endGathering(id, done.toJson());
            log.info("gathering {} - ended (home={}, tables={})", id, placement.shard(), strays.size());
            return done;
        }

        private GatherReport report(List<StrayTable> strays, List<TableDigest> before, List<TableDigest> after) {
            return new GatherReport(
                    handling == Handling.LIST ? null : id,
                    token.tenant(),
                    placement.shard(),
                    placement.generation(),
                    handling,
                    strays,
                    skipped,
                    before,
                    after);
        }

        private List<StrayTable> everywhere(Handling how) throws SQLException {
            List<StrayTable> strays = new ArrayList<>();
            for (Shard shard : parts.directory().shards()) {
                if (!shard.id().equals(placement.shard())) {
                    strays.addAll(on(shard, how));
                }
            }
            return strays;
        }

        private List<StrayTable> on(Shard shard, Handling how) throws SQLException {
            Connection reading;
            try {
                reading = open(shard, token, UNLIMITED);
            } catch (SQLException e) {
                log.warn("gathering {} - shard {} does not answer", id, shard.id(), e);
                skipped.put(shard.id(), "does not answer (sqlstate=" + e.getSQLState() + ")");
                return List.of();
            }
            try (reading;
                    Connection writing = open(shard, token, IDLE)) {
                Optional<Ownership> row = parts.guard().ownership(writing, token.tenant());
                Optional<String> why = notStray(shard.id(), row);
                TenantCatalog there = TenantCatalog.read(writing, parts.tables());
                if (why.isEmpty() && !there.fingerprint().equals(catalog.fingerprint())) {
                    why = Optional.of("its tables differ from the home's, roll the schema out");
                }
                if (why.isPresent()) {
                    skipped.put(shard.id(), why.get());
                    return List.of();
                }
                StraySide side = new StraySide(shard.id(), reading, writing, catalog, home);
                List<StrayTable> found = side.compare();
                if (how == Handling.LIST
                        || (found.isEmpty() && row.filter(this::begunBefore).isEmpty())) {
                    return found;
                }
                long generation =
                        row.filter(this::begunBefore).map(Ownership::generation).orElse(placement.generation());
                return side.gather(parts.guard(), token, generation, id, how);
            }
        }

        private boolean begunBefore(Ownership row) {
            return row.state() == OwnershipState.INCOMING && token.move().equals(row.move());
        }

        /** Why what lies there is no stray, or empty. */
        private Optional<String> notStray(ShardId shard, Optional<Ownership> row) {
            if (row.isEmpty() || begunBefore(row.get())) {
                return Optional.empty();
            }
            Ownership known = row.get();
            if (known.state() != OwnershipState.MOVED) {
                return Optional.of("has the tenant " + known.state() + " at generation " + known.generation()
                        + "; recover, then reconcile");
            }
            return parts.journal().ofTenant(token.tenant()).stream()
                    .filter(move ->
                            move.id().equals(known.move()) && move.source().equals(shard))
                    .filter(move -> move.phase() == MovePhase.RETAINED || move.phase() == MovePhase.CLEANING)
                    .findFirst()
                    .map(move -> "holds the old rows of move " + move.id() + ", clean() deletes them");
        }
    }
}
