package io.homeshard.directory;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the terms of a move leave to it now, by the directory's clock. Immutable; null bounds nothing.
 *
 * @param windowLeft time until the end of its window; negative when that is over
 * @param freezeBudget longest time from the freeze to the flip
 * @param frozenFor time since phase FROZEN was journaled first, zero when it was not
 */
public record FreezeLimits(
        @Nullable Duration windowLeft, @Nullable Duration freezeBudget, Duration frozenFor) {}
