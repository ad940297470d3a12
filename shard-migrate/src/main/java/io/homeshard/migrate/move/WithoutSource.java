package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.migrate.json.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The target is activated although the source has not said {@code moved}. The source says {@code frozen} by this move when
 * it comes back, and refuses everybody; reconciliation turns that to {@code moved}. The order is journaled before the
 * target hears of it: from then on nobody takes a frozen source for a proof that the target does not own.
 */
record WithoutSource(MoveSession session, String reason) {
    void run() throws SQLException {
        if (session.phase() == MovePhase.FLIPPED) {
            new Fencing(session).target();
            session.require(
                    Step.WAIVE_SOURCE,
                    "waive the source",
                    () -> session.parts().journal().waiveSource(session.ticket(), reason));
            session.lease().checkHeld();
            Connection target = session.target();
            session.require(
                    Step.ACTIVATE,
                    "activate on shard " + session.move().target(),
                    () -> session.guard().activate(target, session.token(), session.nextGeneration()));
            session.advance(MovePhase.ACTIVATED, Json.write(evidence(target)));
        }
        if (session.phase() == MovePhase.ACTIVATED) {
            session.advance(MovePhase.RETAINED, "{}");
        }
    }

    private Map<String, Object> evidence(Connection target) throws SQLException {
        Map<String, Object> evidence = new LinkedHashMap<>();
        evidence.put("withoutSource", reason);
        Optional<ShardIdentity> identity = session.guard().identity(target);
        identity.ifPresent(id -> evidence.put("targetIdentity", Aftermath.identityText(id)));
        return evidence;
    }
}
