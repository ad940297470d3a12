package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;

/**
 * A rule that is missing in the SQL functions, on every database that has them, until this is closed. The guard is told
 * that its functions are as they should be, since it is not its watchfulness that is judged.
 */
final class MissingRule implements AutoCloseable {
    private static final String DEFINITION = "SELECT pg_get_functiondef(CAST(? AS regproc))";
    private static final String SOUND = "UPDATE homeshard.guard_core SET digest = homeshard.core_digest()";
    private final MoveLab lab;
    private final List<Runnable> undo = new ArrayList<>();
    private final List<String> what = new ArrayList<>();

    private MissingRule(MoveLab lab) {
        this.lab = lab;
    }

    /**
     * Replaces a text in a function.
     *
     * @param lab whose directory and shards
     * @param function with its schema
     * @param text what is there; it must be
     * @param instead what is there from now on
     */
    static MissingRule on(MoveLab lab, String function, String text, String instead) throws SQLException {
        return new MissingRule(lab).and(function, text, instead);
    }

    /** One more. */
    MissingRule and(String function, String text, String instead) throws SQLException {
        int before = undo.size();
        plant(lab.directoryDataSource, function, text, instead);
        for (int i = 0; i < lab.cluster.shards().size(); i++) {
            DataSource shard = lab.cluster.shard(i).dataSource();
            plant(shard, function, text, instead);
        }
        what.add(function + " without: " + text);
        if (undo.size() == before) {
            throw new IllegalStateException("nobody has " + this);
        }
        return this;
    }

    private void plant(DataSource database, String function, String text, String instead) throws SQLException {
        try (Connection connection = database.getConnection()) {
            List<String> found = Jdbc.list(
                    connection,
                    "SELECT p.oid FROM pg_proc p WHERE p.oid = to_regproc(?)",
                    row -> row.getString(1),
                    function);
            if (found.isEmpty()) {
                return;
            }
            String definition = Jdbc.one(connection, DEFINITION, row -> row.getString(1), function);
            if (!definition.contains(text)) {
                throw new IllegalStateException(function + " has no such text: " + text);
            }
            put(database, definition.replace(text, instead));
            undo.add(() -> put(database, definition));
        }
    }

    private static void put(DataSource database, String definition) {
        try (Connection connection = database.getConnection()) {
            Jdbc.run(connection, definition);
            if (!Jdbc.list(connection, "SELECT to_regclass('homeshard.guard_core')::text", row -> "" + row.getString(1))
                    .contains("null")) {
                Jdbc.run(connection, SOUND);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return String.valueOf(what);
    }

    @Override
    public void close() {
        Collections.reverse(undo); // each knows how the function looked before it
        undo.forEach(Runnable::run);
    }
}
