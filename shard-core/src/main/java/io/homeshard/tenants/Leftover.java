package io.homeshard.tenants;

import io.homeshard.guard.MoverToken;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A reservation of a move that is over. Its rows are deleted only where the journal proves that they were copied from
 * elsewhere, and where no trigger of the application takes notice; where they cannot be, the answer says so and the
 * reservation stays, which nobody can write through.
 */
record Leftover(ReconciliationParts parts, Connection session, MoverToken token) {
    private static final int BATCH = 1000;
    private static final String STILL_REFERRED_TO = "23503";
    private static final String RESTRICTED = "23001";
    private static final String REPLICA = "SET LOCAL session_replication_role = replica";
    private static final String DEFER = "SET CONSTRAINTS ALL DEFERRED";
    private static final String KEEP_DEFERRED = "SELECT set_config('homeshard.sweep_deferred', 'on', true)";

    StepResult release(Mend.Release release) throws SQLException {
        StepResult released = released(release);
        if (released.ok()) {
            return released;
        }
        if (!release.copied()) {
            return StepResult.parse(released + "; TenantMover.gather() shows whose they are");
        }
        DeleteTriggers triggers = DeleteTriggers.read(session);
        Optional<String> obstacle = triggers.obstacle();
        if (obstacle.isPresent()) {
            return StepResult.parse("refused: " + obstacle.get());
        }
        List<TableName> stuck = sweep(triggers.asReplica());
        if (!stuck.isEmpty() && !togetherEmptied(stuck)) {
            return StepResult.parse(
                    "refused: rows of tables that refer to each other in a circle cannot be deleted table by table,"
                            + " delete them by hand (tables=" + stuck + ")");
        }
        return released(release);
    }

    private StepResult released(Mend.Release release) throws SQLException {
        return parts.guard().release(session, token, release.row().generation());
    }

    /** Children go before parents, in whatever order the tables come: a round for each level. Returns what is stuck. */
    private List<TableName> sweep(boolean asReplica) throws SQLException {
        List<TableName> left = parts.shardMending().tenantTables(session);
        while (true) {
            List<TableName> stuck = new ArrayList<>();
            for (TableName table : left) {
                if (!emptied(table, asReplica)) {
                    stuck.add(table);
                }
            }
            if (stuck.isEmpty() || stuck.size() == left.size()) {
                return stuck;
            }
            left = stuck;
        }
    }

    private boolean emptied(TableName table, boolean asReplica) throws SQLException {
        return deleted(() -> {
            if (asReplica) {
                Jdbc.run(session, REPLICA);
            }
            return batch(table) < BATCH;
        });
    }

    /** A circle whose keys can be deferred goes in one transaction, whatever its size. */
    private boolean togetherEmptied(List<TableName> tables) throws SQLException {
        return deleted(() -> {
            Jdbc.run(session, DEFER);
            Jdbc.run(session, KEEP_DEFERRED);
            for (TableName table : tables) {
                while (batch(table) >= BATCH) {
                    // the next batch
                }
            }
            return true;
        });
    }

    private long batch(TableName table) throws SQLException {
        return parts.guard().sweep(session, token, table, BATCH);
    }

    private interface Deleting {
        /** Whether nothing is left to delete. */
        boolean run() throws SQLException;
    }

    /** In one transaction after the other until all is gone; false when rows that are left refer to what should go. */
    private boolean deleted(Deleting step) throws SQLException {
        session.setAutoCommit(false);
        try {
            while (!step.run()) {
                session.commit();
            }
            session.commit();
        } catch (SQLException e) {
            undo(e);
            if (SqlStates.find(e, STILL_REFERRED_TO) == null && SqlStates.find(e, RESTRICTED) == null) {
                throw e;
            }
            return false;
        }
        session.setAutoCommit(true);
        return true;
    }

    private void undo(SQLException why) {
        try {
            session.rollback();
            session.setAutoCommit(true);
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }
}
