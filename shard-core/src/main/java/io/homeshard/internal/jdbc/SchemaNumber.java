package io.homeshard.internal.jdbc;

import io.homeshard.model.SchemaMismatchException;
import java.util.Optional;

/** The version of Homeshard's own schema that this library brings and speaks; directory and shards count alike. */
public final class SchemaNumber {
    /** What {@code homeshard.schema_number()} answers in a database that fits. */
    public static final int CURRENT = 1;

    private SchemaNumber() {}

    /**
     * Compares a database with this library.
     *
     * @param who whose schema it is, as messages begin
     * @param found what the database answered
     * @param rollOut what to run when it is too old
     * @return what to throw, with the remedy, or empty when it fits
     */
    public static Optional<SchemaMismatchException> misfit(String who, int found, String rollOut) {
        if (found == CURRENT) {
            return Optional.empty();
        }
        String remedy = found > CURRENT ? "use a newer version of the library" : "run " + rollOut;
        return Optional.of(new SchemaMismatchException(
                who + " - schema does not fit this library; " + remedy + " (schema=" + found + ", library=" + CURRENT
                        + ")",
                null));
    }
}
