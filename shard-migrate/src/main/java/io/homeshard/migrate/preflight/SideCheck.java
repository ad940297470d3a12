package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import java.sql.SQLException;
import java.util.List;

/** Looks for one kind of trouble on one shard, within a read-only transaction that is open. */
@FunctionalInterface
interface SideCheck {
    /** What is wrong there, by table; empty when all is well. */
    List<Finding> find(Side side) throws SQLException;
}
