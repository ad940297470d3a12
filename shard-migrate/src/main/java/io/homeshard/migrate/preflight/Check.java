package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks for one kind of trouble of a move, within read-only transactions that are open on both shards. */
@FunctionalInterface
interface Check {
    /** What is wrong; empty when all is well. */
    List<Finding> find(Scene scene) throws SQLException;

    /** The same look at both shards. */
    static Check both(SideCheck check) {
        return scene -> {
            List<Finding> findings = new ArrayList<>(check.find(scene.source()));
            findings.addAll(check.find(scene.target()));
            return findings;
        };
    }

    /** A look at the source only, for what is the same on the target or does not matter there. */
    static Check source(SideCheck check) {
        return scene -> check.find(scene.source());
    }

    /** A look at the target only. */
    static Check target(SideCheck check) {
        return scene -> check.find(scene.target());
    }
}
