package io.homeshard.guard.shape;

import io.homeshard.guard.matrix.Candidate;
import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A way in which the guard's triggers may be built: which of them there are, and what they remember. A shape is a script
 * beside this class that takes the place of the installed triggers of all guarded relations. Immutable.
 *
 * @param name names the script
 */
public record Shape(String name) {
    /** What the library installs; has no script. */
    public static final Shape DEFAULT = new Shape("default");

    private static final List<String> SCRIPTS = List.of(
            "none",
            "statement",
            "statement-pass",
            "statement-distinct-pass",
            "row-pass",
            "row-memo",
            "row-memo-unprimed",
            "row-when-pass",
            "enter-when");

    /** Otherwise the mover would refuse to freeze: for it a guard of another shape is a damaged one. */
    private static final String BLIND = """
            CREATE OR REPLACE FUNCTION homeshard.unguarded() RETURNS TABLE (tab text, problem text)
              LANGUAGE sql STABLE AS 'SELECT NULL, NULL WHERE false'""";

    /** Checks the name. */
    public Shape {
        if (!name.equals("default") && !SCRIPTS.contains(name)) {
            throw new IllegalArgumentException("no shape " + name + ", there are default and " + SCRIPTS);
        }
    }

    /**
     * A shape by its name.
     *
     * @param name such as {@code row-pass}
     * @return the shape
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Shape named(String name) {
        return new Shape(name);
    }

    /**
     * All of them, the installed one first.
     *
     * @return the shapes
     */
    public static List<Shape> all() {
        return Stream.concat(Stream.of(DEFAULT), SCRIPTS.stream().map(Shape::new))
                .toList();
    }

    /**
     * The shape as the matrix plays against it.
     *
     * @return the candidate
     */
    public Candidate candidate() {
        return Candidate.named(name);
    }

    /**
     * Puts the shape on all guarded relations, and keeps the mover from noticing.
     *
     * @param owner a session of the owner of schema {@code homeshard}, after the library's own installation
     * @throws SQLException as the driver says
     */
    public void apply(Connection owner) throws SQLException {
        if (!equals(DEFAULT)) {
            Jdbc.run(owner, BLIND);
            candidate().apply(owner);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
