package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import java.time.Instant;

/**
 * How long a move was in a phase.
 *
 * @param phase the phase
 * @param at when it was journaled, by the directory's clock
 * @param millis until the next one was, 0 for the last
 */
public record PhaseTiming(MovePhase phase, Instant at, long millis) {}
