package io.homeshard.routing;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pooled connection that belongs to one scope: it tells the scope of its transactions, refuses to work for another
 * tenant, and looks at every failure. {@code unwrap} leads to the driver, past all of this but not past the guard; so
 * does {@code ResultSet.getStatement}, because wrapping each result set would cost every query.
 */
final class RoutedConnection extends DelegatingConnection {
    private static final String READS_ONLY = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";
    private static final String READS_AND_WRITES = "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE";
    private static final String TAKES_NO_WRITES = """
            SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean""";

    private static final Logger log = LoggerFactory.getLogger(RoutedConnection.class);

    /** SQL that ends a transaction by itself. Only its beginning is looked at: not a COMMIT that follows, or a batch. */
    private static final Pattern COMMITS =
            Pattern.compile("\\s*(?:COMMIT|END|PREPARE\\s+TRANSACTION)\\b", Pattern.CASE_INSENSITIVE);

    private final ScopeWatch watch;
    private boolean transaction;
    private boolean readOnly;
    private boolean restricted;
    /** A write was refused as read-only, and nobody here had asked for that. */
    private boolean refusedWrite;

    private boolean dropped;

    RoutedConnection(Connection delegate, ScopeWatch watch) {
        super(delegate);
        this.watch = watch;
    }

    /**
     * Lets the session read only until it is given back, which costs two round trips. The driver's own
     * {@code setReadOnly} would let autocommit statements write.
     */
    void restrictToReads() throws SQLException {
        restricted = true;
        Jdbc.run(delegate, READS_ONLY);
    }

    /** Runs what a statement of this connection has been told before. */
    <T> T observe(SqlCall<T> call) throws SQLException {
        return observe("", call);
    }

    /** Runs a statement of this connection. */
    <T> T observe(String sql, SqlCall<T> call) throws SQLException {
        watch.refuseOtherTenant();
        try {
            return call.run();
        } catch (SQLException e) {
            // in autocommit a statement is its own commit
            boolean commits = !transaction || COMMITS.matcher(sql).lookingAt();
            throw seen(e, commits && !readOnly);
        }
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        if (!autoCommit && !transaction) {
            watch.refuseOtherTenant();
        }
        try {
            delegate.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            throw seen(e, autoCommit && transaction && !readOnly);
        }
        if (autoCommit) {
            endTransaction();
        } else if (!transaction) {
            transaction = true;
            watch.transactionBegan();
        }
    }

    @Override
    public void commit() throws SQLException {
        try {
            delegate.commit();
        } catch (SQLException e) {
            throw seen(e, !readOnly);
        }
    }

    @Override
    public void rollback() throws SQLException {
        try {
            delegate.rollback();
        } catch (SQLException e) {
            throw seen(e, false);
        }
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        try {
            delegate.rollback(savepoint);
        } catch (SQLException e) {
            throw seen(e, false);
        }
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        delegate.setReadOnly(readOnly);
        this.readOnly = readOnly;
    }

    @Override
    public void close() throws SQLException {
        try {
            liftRestriction();
            leaveStandby();
        } finally {
            giveBack();
        }
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        try {
            delegate.abort(executor);
        } finally {
            endTransaction();
        }
    }

    @Override
    public Statement createStatement() throws SQLException {
        watch.refuseOtherTenant();
        return new RoutedStatement(this, delegate.createStatement());
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        watch.refuseOtherTenant();
        return new RoutedStatement(this, delegate.createStatement(type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        watch.refuseOtherTenant();
        return new RoutedStatement(this, delegate.createStatement(type, concurrency, holdability));
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return RoutedMetaData.over(delegate.getMetaData(), this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql, type, concurrency));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql, type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int generatedKeys) throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql, generatedKeys));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql, columnIndexes));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return prepared(sql, () -> delegate.prepareStatement(sql, columnNames));
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return call(sql, () -> delegate.prepareCall(sql));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return call(sql, () -> delegate.prepareCall(sql, type, concurrency));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return call(sql, () -> delegate.prepareCall(sql, type, concurrency, holdability));
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : delegate.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return watch.route() + " over " + delegate;
    }

    private PreparedStatement prepared(String sql, SqlCall<PreparedStatement> prepare) throws SQLException {
        watch.refuseOtherTenant();
        return new RoutedPreparedStatement(this, prepare.run(), sql);
    }

    private CallableStatement call(String sql, SqlCall<CallableStatement> prepare) throws SQLException {
        watch.refuseOtherTenant();
        return new RoutedCallableStatement(this, prepare.run(), sql);
    }

    private SQLException seen(SQLException failure, boolean commits) {
        if (SqlStates.find(failure, SqlStates.READ_ONLY) != null) {
            if (restricted) {
                return watch.readsOnly(failure);
            }
            refusedWrite |= !readOnly;
        }
        return watch.seen(failure, commits);
    }

    /** A session that cannot be set free must not go back into the pool. */
    private void liftRestriction() throws SQLException {
        if (!restricted || delegate.isClosed()) {
            return;
        }
        restricted = false;
        try {
            if (transaction) {
                delegate.rollback();
            }
            delegate.setAutoCommit(true);
            Jdbc.run(delegate, READS_AND_WRITES);
        } catch (SQLException e) {
            drop();
            throw e;
        }
    }

    /**
     * A server that has become a standby answers every check and refuses every write, so that only a new connection
     * finds the new primary. A transaction that the application made read-only is no reason to end the session.
     */
    private void leaveStandby() throws SQLException {
        if (!refusedWrite || delegate.isClosed()) {
            return;
        }
        refusedWrite = false;
        try {
            if (transaction) {
                delegate.rollback();
            }
            if (Jdbc.one(delegate, TAKES_NO_WRITES, row -> row.getBoolean(1))) {
                log.info("{} - takes no writes any more, the connection is not used again", watch.route());
                drop();
            }
        } catch (SQLException e) {
            log.debug(
                    "{} - could not be asked whether it takes writes, the connection is not used again",
                    watch.route(),
                    e);
            drop();
        }
    }

    /** The pool finds the session dead and takes it out. */
    private void drop() throws SQLException {
        dropped = true;
        delegate.abort(Runnable::run);
    }

    private void giveBack() throws SQLException {
        try {
            delegate.close();
        } catch (SQLException e) {
            if (!dropped) {
                throw e;
            }
            log.debug("{} - connection was dropped", watch.route(), e);
        } finally {
            endTransaction();
        }
    }

    private void endTransaction() {
        if (transaction) {
            transaction = false;
            watch.transactionEnded();
        }
    }
}
