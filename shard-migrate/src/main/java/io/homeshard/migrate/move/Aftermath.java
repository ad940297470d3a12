package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.migrate.json.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * After the flip the order is fixed: the source says {@code moved}, then the target says {@code owned}, each only after
 * the commit before it was acknowledged. Never back. Every step may be repeated.
 */
record Aftermath(MoveSession session) {
    void run() throws SQLException {
        if (session.phase() == MovePhase.FLIPPED) {
            session.act(Step.LET_TABLES_GO, session::releaseSide);
            markMoved();
            activate();
            session.advance(MovePhase.ACTIVATED, Json.write(evidence()));
        }
        if (session.phase() == MovePhase.ACTIVATED) {
            session.advance(MovePhase.RETAINED, "{}");
        }
    }

    private void markMoved() throws SQLException {
        session.lease().checkHeld();
        Connection source = session.source();
        session.require(
                Step.MARK_MOVED,
                "mark moved on shard " + session.move().source(),
                () -> session.guard()
                        .markMoved(
                                source,
                                session.token(),
                                session.move().generation(),
                                session.move().target()));
    }

    private void activate() throws SQLException {
        session.lease().checkHeld();
        Connection target = session.target();
        session.require(
                Step.ACTIVATE,
                "activate on shard " + session.move().target(),
                () -> session.guard().activate(target, session.token(), session.nextGeneration()));
        session.watcher().activated(session.lease().now());
    }

    private Map<String, Object> evidence() throws SQLException {
        Map<String, Object> evidence = new LinkedHashMap<>();
        session.watcher().freezeMillis().ifPresent(ms -> evidence.put("freezeMillis", ms));
        Optional<ShardIdentity> identity = session.guard().identity(session.target());
        identity.ifPresent(id -> evidence.put("targetIdentity", identityText(id)));
        return evidence;
    }

    /** Identity of a shard in the form that the journal keeps. */
    static String identityText(ShardIdentity identity) {
        return identity.directory() + " " + identity.shard() + " " + identity.incarnation();
    }

    /** Whether the source already says that this move took the tenant away: then there is no way back. */
    static boolean sourceMoved(MoveSession session) throws SQLException {
        Optional<Ownership> row =
                session.guard().ownership(session.source(), session.move().tenant());
        return row.isPresent()
                && row.get().state() == OwnershipState.MOVED
                && row.get().generation() == session.move().generation()
                && session.move().id().equals(row.get().move());
    }

    /** Whether the target owns by this move, though the source may not know of it: then there is no way back either. */
    static boolean targetOwns(MoveSession session) throws SQLException {
        return session.guard()
                .ownership(session.target(), session.move().tenant())
                .filter(row -> ownedBy(session, row))
                .isPresent();
    }

    static boolean ownedBy(MoveSession session, Ownership row) {
        return row.state() == OwnershipState.OWNED
                && row.generation() == session.nextGeneration()
                && session.move().id().equals(row.move());
    }
}
