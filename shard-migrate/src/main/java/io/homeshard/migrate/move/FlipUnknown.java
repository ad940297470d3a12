package io.homeshard.migrate.move;

/** The flip was sent and the directory does not answer: it may have happened. Nothing may be undone. */
final class FlipUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FlipUnknown(Throwable cause) {
        super("flip was sent and the directory does not answer whether it happened", cause);
    }
}
