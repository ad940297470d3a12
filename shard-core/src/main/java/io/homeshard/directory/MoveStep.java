package io.homeshard.directory;

import java.time.Instant;

/**
 * One journaled step.
 *
 * @param phase the phase that was entered
 * @param epoch by whom
 * @param attempt in which attempt
 * @param at when, by the directory's clock
 * @param detail JSON object
 */
public record MoveStep(MovePhase phase, long epoch, int attempt, Instant at, String detail) {}
