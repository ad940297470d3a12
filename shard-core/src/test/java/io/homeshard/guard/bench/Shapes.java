package io.homeshard.guard.bench;

import io.homeshard.guard.shape.Shape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The shapes of the guard, by their names. */
final class Shapes {
    static final String NONE = "none";
    static final String DEFAULT = Shape.DEFAULT.name();

    private Shapes() {}

    /** All but the two above. */
    static List<String> others() {
        return Shape.all().stream()
                .map(Shape::name)
                .filter(name -> !name.equals(NONE) && !name.equals(DEFAULT))
                .toList();
    }

    /** Puts a shape on the tables that carry the default. */
    static void apply(String shape, Connection owner) throws SQLException {
        Shape.named(shape).apply(owner);
    }
}
