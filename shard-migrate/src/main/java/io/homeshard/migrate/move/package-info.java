/**
 * Moves one tenant from one shard to another without losing a write. Read it in the order in which a move runs:
 * {@code Planner}, {@code Reservation}, {@code Freeze}, {@code Transfer}, {@code Flip}, {@code Aftermath}; then what
 * happens otherwise: {@code Undo}, {@code Recovery}; and at last {@code Cleaning}.
 */
@NullMarked
package io.homeshard.migrate.move;

import org.jspecify.annotations.NullMarked;
