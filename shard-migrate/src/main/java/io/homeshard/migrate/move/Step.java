package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;

/**
 * Every step of a mover that changes something outside its own memory, in the order in which a move comes by; reading
 * both sides to compare them is one too, because so much time passes in it. Each is run through {@link Steps}, which
 * has a {@link CrashPoint} before it and one after it. Whoever adds an effect adds it here, and to the list in
 * {@code docs/move-protocol.md}.
 *
 * <p>Renewing the lease is none: it is done by a thread of its own, all the while.
 */
enum Step {
    /** The journal takes the intent and gives the first epoch. */
    PLAN(Place.DIRECTORY),
    /** A mover takes a move over from one that is gone, with a higher epoch. */
    TAKE_OVER(Place.DIRECTORY),
    /** The source refuses older movers from now on. */
    FENCE_SOURCE(Place.SOURCE),
    /** Sessions of an older mover on the source are ended. */
    END_OLDER_ON_SOURCE(Place.SOURCE),
    /** The target refuses older movers from now on. */
    FENCE_TARGET(Place.TARGET),
    /** Sessions of an older mover on the target are ended. */
    END_OLDER_ON_TARGET(Place.TARGET),
    /** Phase RESERVED. */
    ENTER_RESERVED(Place.DIRECTORY),
    /** The target holds an incoming row. */
    RESERVE(Place.TARGET),
    /** Phase FREEZING; the placement says frozen. */
    ENTER_FREEZING(Place.DIRECTORY),
    /** One attempt to freeze the source. */
    FREEZE(Place.SOURCE),
    /** Phase FROZEN. */
    ENTER_FROZEN(Place.DIRECTORY),
    /** A session on the source holds the tables, so that nobody changes them. */
    HOLD_TABLES(Place.SOURCE),
    /** Phase COPYING. */
    ENTER_COPYING(Place.DIRECTORY),
    /** Leftovers of an earlier attempt go, of all tables. */
    EMPTY_TARGET(Place.TARGET),
    /** A batch of them. */
    SWEEP_LEFTOVERS(Place.TARGET),
    /** All tables are copied. */
    COPY_ROWS(Place.TARGET),
    /** The rows of one table are sent, in a transaction that is still open afterwards. */
    SEND_TABLE(Place.TARGET),
    /** That transaction is committed. */
    COMMIT_TABLE(Place.TARGET),
    /** Both sides are read and compared. */
    COMPARE(Place.TARGET),
    /** The target's sequences are moved on. */
    ADVANCE_SEQUENCES(Place.TARGET),
    /** The target gets the marker without which it cannot be activated. */
    MARK_VERIFIED(Place.TARGET),
    /** Phase VERIFIED, with the certificate. */
    ENTER_VERIFIED(Place.DIRECTORY),
    /** The commit point: phase FLIPPED, the placement names the target. */
    FLIP(Place.DIRECTORY),
    /** A flip that the directory has forgotten is done again. */
    REDO_FLIP(Place.DIRECTORY),
    /** A person has ordered to go on without the source: journaled before the target hears of it. */
    WAIVE_SOURCE(Place.DIRECTORY),
    /** A person has ordered the way back: the second flip, phase RETURNING. */
    RETURN(Place.DIRECTORY),
    /** The source says owned again, two generations later. */
    REOPEN(Place.SOURCE),
    /** The session that holds the tables ends. */
    LET_TABLES_GO(Place.SOURCE),
    /** The source says moved. */
    MARK_MOVED(Place.SOURCE),
    /** The target says owned. */
    ACTIVATE(Place.TARGET),
    /** Phase ACTIVATED. */
    ENTER_ACTIVATED(Place.DIRECTORY),
    /** Phase RETAINED: the move is finished, the old rows wait. */
    ENTER_RETAINED(Place.DIRECTORY),
    /** The report is kept with the move. */
    KEEP_REPORT(Place.DIRECTORY),
    /** What was compared is kept, chained to the tenant's certificate before. */
    KEEP_CERTIFICATE(Place.DIRECTORY),
    /** A person decides that the move shall not happen. */
    CANCEL(Place.DIRECTORY),
    /** A mover decides it: phase ABORTING. */
    ABORT(Place.DIRECTORY),
    /** The source says owned again. */
    UNFREEZE(Place.SOURCE),
    /** A batch of copied rows of a move that is undone goes. */
    SWEEP_COPIED(Place.TARGET),
    /** The target gives its reservation up. */
    RELEASE(Place.TARGET),
    /** Phase ABORTED: the placement is active again. */
    ENTER_ABORTED(Place.DIRECTORY),
    /** Phase CLEANING. */
    ENTER_CLEANING(Place.DIRECTORY),
    /** A batch of old rows goes. */
    SWEEP_OLD(Place.SOURCE),
    /** Phase DONE. */
    ENTER_DONE(Place.DIRECTORY);

    /** Whose state a step changes. */
    enum Place {
        DIRECTORY,
        SOURCE,
        TARGET
    }

    private final Place place;

    Step(Place place) {
        this.place = place;
    }

    Place place() {
        return place;
    }

    /** The step that journals a phase by {@link MoveSession#advance}. */
    static Step entering(MovePhase phase) {
        return switch (phase) {
            case RESERVED -> ENTER_RESERVED;
            case FREEZING -> ENTER_FREEZING;
            case FROZEN -> ENTER_FROZEN;
            case COPYING -> ENTER_COPYING;
            case VERIFIED -> ENTER_VERIFIED;
            case ACTIVATED -> ENTER_ACTIVATED;
            case RETAINED -> ENTER_RETAINED;
            case CLEANING -> ENTER_CLEANING;
            case DONE -> ENTER_DONE;
            case ABORTED -> ENTER_ABORTED;
            case PLANNED, FLIPPED, ABORTING, RETURNING ->
                throw new IllegalArgumentException("phase is entered by a step of its own, was " + phase);
        };
    }
}
