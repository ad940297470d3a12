package io.homeshard.directory;

import java.util.UUID;

/**
 * Proof of who runs a move: every effect carries it.
 *
 * @param move the move
 * @param epoch the mover's epoch; an older one can do nothing
 * @param attempt the attempt
 */
public record MoveTicket(UUID move, long epoch, int attempt) {}
