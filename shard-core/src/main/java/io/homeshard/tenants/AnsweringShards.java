package io.homeshard.tenants;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.ShardMending;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session on each shard that answers, for reading, and which do not. Used by one thread. */
final class AnsweringShards implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AnsweringShards.class);

    private final ReconciliationParts parts;
    private final Map<ShardId, Shard> known = new TreeMap<>();
    private final Map<ShardId, Connection> sessions = new TreeMap<>();
    private final Map<ShardId, String> silent = new TreeMap<>();

    private AnsweringShards(ReconciliationParts parts) {
        this.parts = parts;
    }

    static AnsweringShards ask(ReconciliationParts parts) {
        AnsweringShards shards = new AnsweringShards(parts);
        for (Shard shard : parts.directory().shards()) {
            shards.known.put(shard.id(), shard);
            try {
                shards.sessions.put(shard.id(), ShardSession.open(parts.pools(), shard, reader()));
            } catch (SQLException e) {
                LOG.warn("reconciliation - shard {} does not answer", shard.id(), e);
                shards.silent.put(shard.id(), why(e));
            }
        }
        return shards;
    }

    /** A name under which nobody is ended. */
    private static MoverToken reader() {
        return new MoverToken(TenantId.of("reconciliation"), new UUID(0, 0), 0, 1);
    }

    Map<ShardId, String> silent() {
        return silent;
    }

    /** The shards' records, a shard a cursor. */
    Map<ShardId, Pages<Ownership>> records() {
        Map<ShardId, Pages<Ownership>> records = new LinkedHashMap<>();
        sessions.forEach((shard, session) -> records.put(
                shard,
                new Pages<>(
                        (after, limit) -> read(shard, s -> mending().list(s, after, limit)),
                        row -> row.tenant().value())));
        return records;
    }

    long highestEpoch() {
        long highest = 0;
        for (ShardId shard : sessions.keySet()) {
            highest = Math.max(highest, read(shard, mending()::highestEpoch));
        }
        return highest;
    }

    Map<ShardId, Ownership> records(TenantId tenant) {
        Map<ShardId, Ownership> rows = new TreeMap<>();
        for (ShardId shard : sessions.keySet()) {
            Optional<Ownership> row = read(shard, session -> parts.guard().ownership(session, tenant));
            row.ifPresent(found -> rows.put(shard, found));
        }
        return rows;
    }

    /** A session of its own for steps under an epoch, for the caller to close. */
    Connection open(ShardId shard, MoverToken token) throws SQLException {
        return ShardSession.open(parts.pools(), Objects.requireNonNull(known.get(shard)), token);
    }

    private ShardMending mending() {
        return parts.shardMending();
    }

    private interface Question<T> {
        T ask(Connection session) throws SQLException;
    }

    private <T> T read(ShardId shard, Question<T> question) {
        try {
            return question.ask(Objects.requireNonNull(sessions.get(shard)));
        } catch (SQLException e) {
            throw new ShardUnavailableException(
                    shard,
                    "shard " + shard + " - stopped answering while it was being reconciled; reconcile again (" + why(e)
                            + ")",
                    e);
        }
    }

    static String why(Exception e) {
        SQLException sql = SqlStates.find(e, "");
        return "sqlstate=" + (sql == null ? "none" : sql.getSQLState());
    }

    @Override
    public void close() {
        for (Connection session : sessions.values()) {
            try {
                session.close();
            } catch (SQLException e) {
                LOG.debug("reconciliation - session did not close cleanly", e);
            }
        }
    }
}
