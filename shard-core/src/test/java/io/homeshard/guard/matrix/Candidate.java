package io.homeshard.guard.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A shape of the guard that stands in for the installed one while cells are played. */
@FunctionalInterface
public interface Candidate {
    /** The guard as the library installs it. */
    Candidate INSTALLED = owner -> {};

    /**
     * Replaces the guard of all guarded relations.
     *
     * @param owner a session of the owner of schema {@code homeshard}, in autocommit
     * @throws SQLException as the driver says
     */
    void apply(Connection owner) throws SQLException;

    /**
     * A shape kept as a script.
     *
     * @param name names the script; {@code default} is the installed guard
     * @return the candidate
     */
    static Candidate named(String name) {
        return name.equals("default") ? INSTALLED : owner -> run(owner, script(name));
    }

    /**
     * What the property {@code homeshard.guard.shape} names, else the installed guard: so the tests of this package
     * judge any shape.
     *
     * @return the candidate
     */
    static Candidate chosen() {
        return named(System.getProperty("homeshard.guard.shape", "default"));
    }

    private static void run(Connection owner, String sql) throws SQLException {
        try (Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String script(String name) {
        try (InputStream in = Candidate.class.getResourceAsStream("/io/homeshard/guard/shape/" + name + ".sql")) {
            if (in == null) {
                throw new IllegalArgumentException("no shape " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
