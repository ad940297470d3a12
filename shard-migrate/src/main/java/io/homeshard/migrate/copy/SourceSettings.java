package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;

/** What a transaction that reads the source has to know. */
final class SourceSettings {
    // the snapshot idles while the target checks keys and commits, which may take as long as any statement
    private static final String PATIENT_SNAPSHOT = """
            SELECT set_config('idle_in_transaction_session_timeout', current_setting('statement_timeout'), true)
            """;

    // nobody can say how long a pause lasts, and streams that have nothing left to do wait for those that are held up
    private static final String HELD_SNAPSHOT =
            "SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('statement_timeout', '0', true)";

    private SourceSettings() {}

    static void apply(Connection source, TenantId tenant) throws SQLException {
        Jdbc.run(source, PATIENT_SNAPSHOT);
        Jdbc.run(source, CopyStatements.SET_TENANT, tenant.value());
    }

    /** When rows are about to be sent: those of a copy that may be held up have no limit on the server any more. */
    static void sending(Connection source, boolean mayHoldUp) throws SQLException {
        if (mayHoldUp) {
            Jdbc.run(source, HELD_SNAPSHOT);
        }
    }
}
