package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.List;

/** Looks for one kind of trouble of a move, within read-only transactions that are open on both shards. */
interface Check {
    /** What is wrong; empty when all is well. */
    List<Finding> find(Scene scene) throws SQLException;

    /** The class whose name says what is looked for. */
    default Class<?> topic() {
        return getClass();
    }

    /** The same look at both shards. */
    static Check both(SideCheck check) {
        return new SideLook(check, true, true);
    }

    /** A look at the source only, for what is the same on the target or does not matter there. */
    static Check source(SideCheck check) {
        return new SideLook(check, true, false);
    }

    /** A look at the target only. */
    static Check target(SideCheck check) {
        return new SideLook(check, false, true);
    }
}
