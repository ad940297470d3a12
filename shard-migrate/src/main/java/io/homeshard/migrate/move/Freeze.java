package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.json.Json;
import io.homeshard.migrate.preflight.PreparedHolders;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The source stops taking writes of the tenant. Each attempt asks for the tenant's lock only briefly, because writers
 * queue behind it while it waits; between attempts they go on.
 */
record Freeze(MoveSession session) {
    /** Returns which relations are held from now on. */
    String run() throws SQLException {
        session.side(); // connected before anybody has to wait for them
        session.pulse();
        FreezeTerms terms = FreezeTerms.read(session);
        if (session.phase() == MovePhase.RESERVED) {
            session.advance(MovePhase.FREEZING, "{}");
        }
        terms.beginWindow();
        int tries = freezeRow(terms);
        session.watcher().frozen(session.lease().now());
        if (session.phase() == MovePhase.FREEZING) {
            session.advance(MovePhase.FROZEN, Json.write(Map.of("tries", tries)));
        }
        hold();
        return ShardRequirements.relations(session.side());
    }

    private int freezeRow(FreezeTerms terms) throws SQLException {
        long deadline =
                session.lease().now() + session.config().freeze().patience().toNanos();
        Duration wait = session.config().freeze().firstTry();
        for (int tries = 1; ; tries++) {
            session.lease().check();
            long asked = session.lease().now();
            try {
                tryOnce(wait);
                terms.beginBudget(asked);
                return tries;
            } catch (SQLException e) {
                if (!busy(e)) {
                    throw e;
                }
                giveUpAfter(deadline, tries, e);
            }
            session.pause(withJitter(session.config().freeze().backoff()));
            wait = session.config().freeze().laterTry();
        }
    }

    private void tryOnce(Duration wait) throws SQLException {
        Connection source = session.source();
        session.require(
                Step.FREEZE,
                "freeze on shard " + session.move().source(),
                () -> session.guard()
                        .freeze(source, session.token(), session.move().generation(), wait));
    }

    private void giveUpAfter(long deadline, int tries, SQLException last) throws SQLException {
        if (session.lease().now() < deadline) {
            return;
        }
        List<String> prepared =
                PreparedHolders.read(session.source(), session.move().tenant());
        String who = prepared.isEmpty()
                ? "a transaction that wrote for it does not end"
                : "prepared transactions hold it: " + prepared;
        MoveStopped stopped = new MoveStopped(
                "shard " + session.move().source() + " - tenant could not be frozen, " + who + " (tries=" + tries
                        + ", freezePatience=" + session.config().freeze().patience() + ")");
        stopped.addSuppressed(last);
        throw stopped;
    }

    /** From here to the flip nobody changes tables or triggers on the source; before the flip all is looked at again. */
    private void hold() throws SQLException {
        long deadline =
                session.lease().now() + session.config().freeze().patience().toNanos();
        while (true) {
            session.lease().check();
            try {
                Connection side = session.side();
                session.act(
                        Step.HOLD_TABLES,
                        () -> session.guard()
                                .holdTables(side, session.config().freeze().laterTry()));
                break;
            } catch (SQLException e) {
                if (!busy(e) || session.lease().now() >= deadline) {
                    throw e;
                }
                session.side().rollback();
            }
            session.pause(withJitter(session.config().freeze().backoff()));
        }
        session.lease().keepAlive(session.side(), session.pulse());
        ShardRequirements.requireGuard(
                session.guard(), session.side(), session.move().source());
    }

    private static boolean busy(SQLException e) {
        return SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) || SqlStates.DEADLOCK.equals(e.getSQLState());
    }

    private static Duration withJitter(Duration shortest) {
        long nanos = shortest.toNanos();
        return Duration.ofNanos(nanos + ThreadLocalRandom.current().nextLong(nanos));
    }
}
