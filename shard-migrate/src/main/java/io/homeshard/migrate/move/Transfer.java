package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.copy.CopiedTable;
import io.homeshard.migrate.copy.CopyEnds;
import io.homeshard.migrate.copy.CopyListener;
import io.homeshard.migrate.copy.CopyReport;
import io.homeshard.migrate.copy.SequenceAdvance;
import io.homeshard.migrate.copy.TenantCopy;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The rows travel and are compared: leftovers of an earlier attempt go first, both sides are read afresh, sequences are
 * moved on, and the target gets the marker without which it cannot be activated.
 */
record Transfer(MoveSession session, TenantCatalog catalog) {
    private static final String BACKEND = "SELECT pg_catalog.pg_backend_pid()";

    void run() throws SQLException {
        if (session.phase() != MovePhase.COPYING) {
            session.advance(MovePhase.COPYING, "{}");
        }
        Connection source = session.source();
        Connection target = session.target();
        LoadMode mode = Loading.ofCopy(session, catalog);
        session.onManyRows(() -> session.step(Step.EMPTY_TARGET, () -> sweep(target, mode)), target);
        CopyReport copied = session.onManyRows(() -> session.step(Step.COPY_ROWS, () -> copy(mode)), source, target);
        session.lease().check();
        int backend = backend(target);
        Comparison comparison = session.onManyRows(
                () -> session.step(Step.COMPARE, () -> Comparison.require(session, catalog, mode)), source, target);
        session.lease().check();
        session.onManyRows(
                () -> session.step(Step.ADVANCE_SEQUENCES, () -> SequenceAdvance.advance(target, catalog, source)),
                source,
                target);
        comparison.requireSequencesBeyond(session, catalog);
        mark(backend);
        session.advance(
                MovePhase.VERIFIED,
                Evidence.of(copied, comparison, catalog.fingerprint()).toJson());
    }

    private long sweep(Connection target, LoadMode mode) throws SQLException {
        return new Sweeping(session, Step.SWEEP_LEFTOVERS, mode).run(target, catalog);
    }

    private CopyReport copy(LoadMode mode) throws SQLException {
        session.lease().check();
        CopyEnds ends = new CopyEnds(session.source(), session.target(), session.guard(), new FurtherSessions(session));
        session.lease().track(session.watcher().copying(session.move(), session.parts()));
        CopyReport copied = TenantCopy.create(
                        session.config().copy(), mode, session.parts().clocks())
                .copy(ends, catalog, session.token(), new Progress(session));
        session.watcher().copyComplete();
        return copied;
    }

    /**
     * Over the very session on which the rows were compared: one that was opened later, or handed on by a pooler, may
     * lead to another server that took over in between and lacks rows.
     */
    private void mark(int compared) throws SQLException {
        session.lease().check();
        Connection target = session.target();
        int backend = backend(target);
        if (backend != compared) {
            throw new MoveStopped("shard " + session.move().target() + " - was compared on another session (backend="
                    + backend + ", compared=" + compared + "); movers need connections of their own, without a pooler"
                    + " that hands them on");
        }
        session.require(
                Step.MARK_VERIFIED,
                "mark verified on shard " + session.move().target(),
                () -> session.guard().markVerified(target, session.token(), session.nextGeneration()));
    }

    private static int backend(Connection connection) throws SQLException {
        return Jdbc.one(connection, BACKEND, row -> row.getInt(1));
    }

    /** Passes progress on; stops the copy when the move was cancelled or the lease is lost. */
    private record Progress(MoveSession session) implements CopyListener {
        @Override
        public void tableStarted(TableName table) {
            session.watcher().steps().begin(Step.SEND_TABLE);
        }

        @Override
        public void tableSent(TableName table) {
            session.watcher().steps().end(Step.SEND_TABLE);
            session.watcher().steps().begin(Step.COMMIT_TABLE);
        }

        @Override
        public void progress(TableName table, long rows, long bytes) {
            session.lease().check();
            session.watcher().progress(table, rows, bytes);
        }

        @Override
        public void waiting() {
            session.lease().check();
        }

        @Override
        public void tableCopied(CopiedTable copied) {
            session.watcher().steps().end(Step.COMMIT_TABLE);
            session.lease().check();
            session.watcher().copied(copied.table(), copied.rows(), copied.bytes());
        }
    }
}
