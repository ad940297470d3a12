package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;

/**
 * A trigger of the application on a tenant table, or a rule for DELETE, that is not disabled. Immutable.
 *
 * @param table the table; the partitioned one for a trigger of a partition
 * @param name name of the trigger
 * @param state in which sessions it fires
 * @param inserts whether rows that come set it off
 * @param deletes whether rows that go set it off
 */
public record TableTrigger(TableName table, String name, State state, boolean inserts, boolean deletes) {
    /** In which sessions a trigger fires. */
    public enum State {
        /** In ordinary sessions, as every new trigger. */
        ORIGIN,
        /** Only in sessions that replay another's rows. */
        REPLICA,
        /** In all. */
        ALWAYS;

        /**
         * From the letter of the catalog.
         *
         * @param letter {@code O}, {@code R} or {@code A}
         * @return the state
         * @throws IllegalArgumentException for any other letter
         */
        static State of(String letter) {
            return switch (letter) {
                case "O" -> ORIGIN;
                case "R" -> REPLICA;
                case "A" -> ALWAYS;
                default -> throw new IllegalArgumentException("state of a trigger must be O, R or A, was " + letter);
            };
        }
    }

    /**
     * Whether it fires in the sessions of a mover.
     *
     * @param mode how the mover loads
     * @return true when nothing keeps it from firing
     */
    public boolean firesIn(LoadMode mode) {
        return state == State.ALWAYS || (state == State.REPLICA) == (mode == LoadMode.REPLICA);
    }
}
