package io.homeshard.model;

import org.jspecify.annotations.Nullable;

/**
 * Answer of a step function. A repeated call after a lost answer tells the truth, so {@link Outcome#ALREADY_DONE} is
 * success.
 *
 * @param outcome what happened
 * @param why the reason of a refusal, else null
 */
public record StepResult(Outcome outcome, @Nullable String why) {
    /** What a step function did. */
    public enum Outcome {
        /** This call did it. */
        DONE,
        /** An earlier call of the same step did it. */
        ALREADY_DONE,
        /** It was not done and will not be by repeating the call. */
        REFUSED
    }

    private static final String REFUSED_PREFIX = "refused: ";

    /**
     * Reads the text form.
     *
     * @param text {@code done}, {@code already done} or {@code refused: why}
     * @return the answer
     */
    public static StepResult parse(String text) {
        return switch (text) {
            case "done" -> new StepResult(Outcome.DONE, null);
            case "already done" -> new StepResult(Outcome.ALREADY_DONE, null);
            default -> {
                if (!text.startsWith(REFUSED_PREFIX)) {
                    throw new IllegalArgumentException("not the answer of a step function: " + text);
                }
                yield new StepResult(Outcome.REFUSED, text.substring(REFUSED_PREFIX.length()));
            }
        };
    }

    /**
     * Whether the effect is there.
     *
     * @return true unless refused
     */
    public boolean ok() {
        return outcome != Outcome.REFUSED;
    }

    @Override
    public String toString() {
        return switch (outcome) {
            case DONE -> "done";
            case ALREADY_DONE -> "already done";
            case REFUSED -> REFUSED_PREFIX + why;
        };
    }
}
