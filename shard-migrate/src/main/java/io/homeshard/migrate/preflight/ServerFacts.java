package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a shard's server says of itself that could make a move fail late or lose something. */
final class ServerFacts implements Check {
    private static final String ASYNCHRONOUS_STANDBYS = """
            SELECT count(*) FROM pg_catalog.pg_stat_replication WHERE sync_state NOT IN ('sync', 'quorum')
            """;
    private static final String DEADLOCK_TIMEOUT = """
            SELECT setting::bigint FROM pg_catalog.pg_settings WHERE name = 'deadlock_timeout'
            """;
    private static final String IN_RECOVERY = "SELECT pg_catalog.pg_is_in_recovery()";

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>(read(scene.source(), scene));
        findings.addAll(read(scene.target(), scene));
        return findings;
    }

    private static List<Finding> read(Side side, Scene scene) throws SQLException {
        Connection connection = side.connection();
        ShardId shard = side.shard();
        Duration freezeTry = scene.parts().limits().freezeTry();
        List<Finding> findings = new ArrayList<>();
        if (Jdbc.one(connection, IN_RECOVERY, row -> row.getBoolean(1))) {
            findings.add(Finding.error("standby", shard, "is a standby", "give the directory the primary's address"));
        }
        long deadlock = Jdbc.one(connection, DEADLOCK_TIMEOUT, row -> row.getLong(1));
        if (deadlock <= freezeTry.toMillis()) {
            findings.add(Finding.error(
                    "deadlock-timeout",
                    shard,
                    "deadlock_timeout must be > freezeTry " + freezeTry.toMillis() + " ms, was " + deadlock + " ms",
                    "raise deadlock_timeout or lower freezeTry"));
        }
        List<String> prepared = PreparedHolders.read(connection, scene.tenant());
        if (!prepared.isEmpty()) {
            findings.add(Finding.warning(
                    "prepared-transactions",
                    shard,
                    "prepared transactions hold the tenant and would hold up its freeze: " + prepared,
                    "commit or roll them back"));
        }
        long standbys = Jdbc.one(connection, ASYNCHRONOUS_STANDBYS, row -> row.getLong(1));
        if (standbys > 0) {
            findings.add(Finding.warning(
                    "asynchronous-standbys",
                    shard,
                    "a fail-over to an asynchronous standby may lose what the move relied on (standbys=" + standbys
                            + ")",
                    "make one synchronous, or accept it"));
        }
        return findings;
    }
}
