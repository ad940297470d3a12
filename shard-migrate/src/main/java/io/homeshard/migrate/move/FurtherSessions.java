package io.homeshard.migrate.move;

import io.homeshard.migrate.copy.CopySessions;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;

/** Sessions of a mover for the streams of a copy beside the first; the lease can break them off as it can the others. */
record FurtherSessions(MoveSession session) implements CopySessions {
    @Override
    public Connection source() throws SQLException {
        return open(session.move().source());
    }

    @Override
    public Connection target() throws SQLException {
        return open(session.move().target());
    }

    @Override
    public void close(Connection connection) {
        session.close(connection);
    }

    private Connection open(ShardId shard) throws SQLException {
        Connection connection = session.open(shard);
        try {
            SessionLimits.forManyRows(connection, session.config());
            return connection;
        } catch (SQLException e) {
            session.close(connection);
            throw e;
        }
    }
}
