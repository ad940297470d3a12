package io.homeshard.tenants;

import io.homeshard.guard.MoverToken;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A reservation of a move that is over. Its rows are deleted only where the journal proves that they were copied from
 * elsewhere; where they cannot be, the answer says so and the reservation stays, which nobody can write through.
 */
record Leftover(ReconciliationParts parts, Connection session, MoverToken token) {
    private static final int BATCH = 1000;
    private static final String STILL_REFERRED_TO = "23503";
    private static final String RESTRICTED = "23001";

    StepResult release(Mend.Release release) throws SQLException {
        if (release.copied()) {
            List<TableName> stuck = sweep();
            if (!stuck.isEmpty()) {
                return StepResult.parse(
                        "refused: rows of tables that refer to each other in a circle cannot be deleted table by table,"
                                + " delete them by hand (tables=" + stuck + ")");
            }
        }
        StepResult released =
                parts.guard().release(session, token, release.row().generation());
        return released.ok() || release.copied()
                ? released
                : StepResult.parse(released + "; TenantMover.gather() shows whose they are");
    }

    /** Children go before parents, in whatever order the tables come: a round for each level. Returns what is stuck. */
    private List<TableName> sweep() throws SQLException {
        List<TableName> left = parts.shardMending().tenantTables(session);
        while (true) {
            List<TableName> stuck = new ArrayList<>();
            for (TableName table : left) {
                if (!emptied(table)) {
                    stuck.add(table);
                }
            }
            if (stuck.isEmpty() || stuck.size() == left.size()) {
                return stuck;
            }
            left = stuck;
        }
    }

    private boolean emptied(TableName table) throws SQLException {
        try {
            while (parts.guard().sweep(session, token, table, BATCH) >= BATCH) {
                // the next batch
            }
            return true;
        } catch (SQLException e) {
            if (SqlStates.find(e, STILL_REFERRED_TO) == null && SqlStates.find(e, RESTRICTED) == null) {
                throw e;
            }
            return false;
        }
    }
}
