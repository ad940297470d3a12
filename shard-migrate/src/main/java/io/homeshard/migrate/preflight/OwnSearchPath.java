package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.PinnedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Set;

/**
 * Evaluates expressions of the application as the move will: functions within them find tables by the search path of the
 * mover's role. What fails there is undone alone.
 */
final class OwnSearchPath {
    /** PostgreSQL: connection lost, rolled back, out of resources, object in use, operator's intervention. */
    private static final Set<String> NOT_OF_THE_EXPRESSION = Set.of("08", "40", "53", "55", "57", "58");

    private OwnSearchPath() {}

    /**
     * Evaluates on one shard or on both.
     *
     * @throws ExpressionException when that cannot be done; the transactions are as they were
     */
    static <T> T evaluate(Scene scene, PinnedTransaction.Work<T> work) throws SQLException {
        Connection source = scene.source().connection();
        Connection target = scene.target().connection();
        Savepoint here = source.setSavepoint();
        Savepoint there = target.setSavepoint();
        try {
            T result = PinnedTransaction.withOwnPath(
                    source, session -> PinnedTransaction.withOwnPath(target, other -> work.run(source)));
            source.releaseSavepoint(here);
            target.releaseSavepoint(there);
            return result;
        } catch (SQLException e) {
            if (e.getSQLState() == null || NOT_OF_THE_EXPRESSION.contains(ServerReason.kind(e))) {
                throw e;
            }
            Side failed = FailedSide.of(scene);
            source.rollback(here);
            target.rollback(there);
            throw new ExpressionException(failed.shard(), e);
        }
    }
}
