package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes the guard off all tables, for a team that leaves. The declaration goes first: from then on no tenant is frozen,
 * so that a removal that stops half way leaves no frozen tenant on tables without guard.
 */
final class GuardRemoval {
    private static final TableName DECLARATION = new TableName("homeshard", "declaration");
    private static final String WITHDRAW = "SELECT homeshard.withdraw(?)";
    private static final String PLAN = "SELECT tab, schema_name, table_name FROM homeshard.removal_plan()";
    private static final String REMOVE = "SELECT homeshard.remove_relation(CAST(CAST(? AS oid) AS regclass), ?)";

    private final TableTries tries;

    GuardRemoval(TableTries tries) {
        this.tries = tries;
    }

    StepResult run(Connection shard, Duration lockTimeout) throws SQLException {
        int millis = Millis.of(lockTimeout);
        if (!shard.getAutoCommit()) {
            throw new IllegalArgumentException("shard must be a connection in autocommit");
        }
        StepResult answer = withdraw(shard, millis);
        if (answer.ok()) {
            for (TableTries.Relation relation : plan(shard)) {
                tries.run(shard, relation, millis, () -> Jdbc.run(shard, REMOVE, relation.oid(), millis));
            }
        }
        return answer;
    }

    private StepResult withdraw(Connection shard, int millis) throws SQLException {
        AtomicReference<StepResult> answer = new AtomicReference<>();
        tries.run(DECLARATION, millis, () -> answer.set(Jdbc.step(shard, WITHDRAW, millis)));
        return Objects.requireNonNull(answer.get());
    }

    private static List<TableTries.Relation> plan(Connection shard) throws SQLException {
        return Jdbc.list(
                shard,
                PLAN,
                row -> new TableTries.Relation(row.getLong(1), new TableName(row.getString(2), row.getString(3))));
    }
}
