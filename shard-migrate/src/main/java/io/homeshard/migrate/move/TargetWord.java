package io.homeshard.migrate.move;

import io.homeshard.guard.Ownership;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a target says of the tenant, asked under the mover's epoch, before anything is done that a target's silence allows.
 *
 * @param answered whether it was told of the epoch and answered
 * @param row its record of the tenant, empty where it has none or did not answer
 */
record TargetWord(boolean answered, Optional<Ownership> row) {
    private static final Logger log = LoggerFactory.getLogger(TargetWord.class);

    /** The shard has heard of a newer mover. */
    private static final String OUTDATED = "HS004";

    /**
     * Asks it.
     *
     * @throws MoveStopped when it refuses the epoch: no silence, but a sign that the directory has forgotten what it did
     */
    static TargetWord ask(MoveSession session) {
        try {
            new Fencing(session).target();
            return new TargetWord(
                    true,
                    session.guard().ownership(session.target(), session.move().tenant()));
        } catch (SQLException e) {
            if (SqlStates.find(e, OUTDATED) != null) {
                MoveStopped stopped = new MoveStopped(
                        "shard " + session.move().target() + " answers and has heard of a newer mover than"
                                + " the directory knows, so the directory has forgotten some: reconcile(), then recover()");
                stopped.initCause(e);
                throw stopped;
            }
            log.warn(
                    "move {} - target {} does not answer",
                    session.move().id(),
                    session.move().target(),
                    e);
            return new TargetWord(false, Optional.empty());
        }
    }

    /** Whether it owns by this move: then there is no way back. */
    boolean owns(MoveSession session) {
        return row.filter(own -> Aftermath.ownedBy(session, own)).isPresent();
    }
}
