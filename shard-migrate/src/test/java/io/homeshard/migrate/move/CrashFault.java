package io.homeshard.migrate.move;

/** What happens to a mover at a crash point. */
enum CrashFault {
    /** It stops dead in this JVM: a cheap stand-in for {@link #KILLED}, not one of the matrix's six. */
    STOPPED_DEAD,
    /** The JVM is killed by SIGKILL. */
    KILLED,
    /** The server of the source stops; it comes back at once (after a step), or when the mover has given up (before it). */
    SOURCE_STOPPED,
    /** The same for the target. */
    TARGET_STOPPED,
    /** The same for the directory. */
    DIRECTORY_STOPPED,
    /** The JVM is stopped by SIGSTOP, another mover brings the move to an end, and it wakes up. */
    PAUSED,
    /** The mover is cut off from everything: by resets, for a moment, or by silence, until it has given up. */
    CUT_OFF;

    /** Whether the mover has to be a JVM of its own. */
    boolean ofJvm() {
        return this == KILLED || this == PAUSED;
    }
}
