package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.ShardMending;
import io.homeshard.migrate.json.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * After the second flip: the source owns the tenant again, at the generation that the directory gave it, and the target
 * gives its reservation up. A target that does not answer is not waited for: nobody can activate it any more, since that
 * takes a source that says {@code moved} to the mover's epoch, or an order in the journal. What it still holds is found by
 * reconciliation.
 */
record Returning(MoveSession session) {
    void run() throws SQLException {
        if (session.phase() != MovePhase.RETURNING) {
            return;
        }
        new Fencing(session).source();
        Connection source = session.source();
        long generation = session.move().generation();
        session.require(
                Step.REOPEN,
                "reopen on shard " + session.move().source(),
                () -> ShardMending.create().reopen(source, session.token(), generation, generation + 2));
        session.advance(
                MovePhase.ABORTED,
                Json.write(Map.of("returned", true, "targetReleased", Undo.releasedIfItAnswers(session))));
    }
}
