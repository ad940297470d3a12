package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of one shard, as one of a move.
 *
 * @param check the check
 * @param source whether to look at the source
 * @param target whether to look at the target
 */
record SideLook(SideCheck check, boolean source, boolean target) implements Check {
    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        if (source) {
            findings.addAll(check.find(scene.source()));
        }
        if (target) {
            findings.addAll(check.find(scene.target()));
        }
        return findings;
    }

    @Override
    public Class<?> topic() {
        return check.getClass();
    }
}
