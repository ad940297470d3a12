package io.homeshard.migrate.verify;

import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Asks a shard the application's checks. */
public final class CheckRun {
    // the alias is unlikely as a column: a column of that name would be hashed in place of the row
    private static final String ANSWER = """
            SELECT count(*), coalesce(sum(high), 0), coalesce(sum(low), 0)
              FROM (SELECT ('x' || substr(h, 1, 16))::bit(64)::bigint AS high,
                           ('x' || substr(h, 17, 16))::bit(64)::bigint AS low
                      FROM (SELECT encode(sha256(convert_to(homeshard_answer_row::text, 'UTF8')), 'hex') AS h
                              FROM (
            %s
                                   ) AS homeshard_answer_row
                            OFFSET 0) hashed) cut
            """;

    private CheckRun() {}

    /**
     * Asks all of them in one snapshot.
     *
     * @param shard the shard, in autocommit; left so
     * @param checks the checks
     * @param tenant the tenant
     * @return the answers, in the same order
     * @throws SQLException as the driver says; the message names the check
     */
    public static List<CheckAnswer> ask(Connection shard, List<MoveCheck> checks, TenantId tenant) throws SQLException {
        if (checks.isEmpty()) {
            return List.of();
        }
        return PinnedTransaction.read(shard, connection -> {
            List<CheckAnswer> answers = new ArrayList<>();
            for (MoveCheck check : checks) {
                answers.add(ask(connection, check, tenant));
            }
            return List.copyOf(answers);
        });
    }

    /**
     * Asks one of them.
     *
     * @param connection the shard, in a {@linkplain PinnedTransaction#read pinned transaction}, which is of no further use
     *     after a failure
     * @param check the check
     * @param tenant the tenant
     * @return the answer
     * @throws SQLException as the driver says; the message names the check
     */
    public static CheckAnswer ask(Connection connection, MoveCheck check, TenantId tenant) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ANSWER.formatted(check.sql()))) {
            int parameters = statement.getParameterMetaData().getParameterCount();
            for (int i = 1; i <= parameters; i++) {
                statement.setObject(i, tenant.value(), Types.OTHER);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new CheckAnswer(check, row.getLong(1), row.getBigDecimal(2), row.getBigDecimal(3));
            }
        } catch (SQLException e) {
            // what the server says may quote a value
            throw new SQLException("check " + check.name() + " - its query failed", e.getSQLState(), e);
        }
    }
}
