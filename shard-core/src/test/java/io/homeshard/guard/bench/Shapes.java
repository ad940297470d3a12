package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The shapes of the guard. */
final class Shapes {
    static final String NONE = "none";
    static final String DEFAULT = "default";

    private static final String DROP = """
            DO $$
            DECLARE t record;
            BEGIN
              FOR t IN SELECT g.tgrelid::regclass AS tab, g.tgname FROM pg_trigger g JOIN homeshard.guarded d
                  ON d.tab = g.tgrelid WHERE g.tgname LIKE 'zz_homeshard_guard_%' LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.tab);
              END LOOP;
            END $$""";

    private Shapes() {}

    /** All but the two above. */
    static List<String> others() {
        return List.of();
    }

    /** Puts a shape on the tables that carry the default. */
    static void apply(String shape, Connection owner) throws SQLException {
        if (shape.equals(NONE)) {
            Jdbc.run(owner, DROP);
        }
    }
}
