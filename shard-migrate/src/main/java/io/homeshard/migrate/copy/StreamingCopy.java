package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.throttle.Throttle;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Copies table after table through the memory of this process, a row at a time. */
final class StreamingCopy implements TenantCopy {
    // the snapshot idles while the target checks keys and commits, which may take as long as any statement
    private static final String PATIENT_SNAPSHOT = """
            SELECT set_config('idle_in_transaction_session_timeout', current_setting('statement_timeout'), true)
            """;

    private final Throttle throttle;

    StreamingCopy(Throttle throttle) {
        this.throttle = throttle;
    }

    @Override
    public CopyReport copy(CopyEnds ends, TenantCatalog catalog, MoverToken token, CopyListener listener)
            throws SQLException {
        return PinnedTransaction.read(ends.source(), source -> {
            Jdbc.run(source, PATIENT_SNAPSHOT);
            Jdbc.run(source, CopyStatements.SET_TENANT, token.tenant().value());
            List<CopiedTable> copied = new ArrayList<>();
            for (TenantTable table : catalog.tables()) {
                listener.tableStarted(table.name());
                CopiedTable done = table(ends, table, token, listener);
                listener.tableCopied(done);
                copied.add(done);
            }
            return new CopyReport(copied);
        });
    }

    private CopiedTable table(CopyEnds ends, TenantTable table, MoverToken token, CopyListener listener)
            throws SQLException {
        return PinnedTransaction.write(ends.target(), target -> {
            ends.guard().enterMover(target, token);
            CopiedTable sent = new TableStream(ends.source(), target, table).run(throttle, listener);
            listener.tableSent(table.name());
            return sent;
        });
    }
}
