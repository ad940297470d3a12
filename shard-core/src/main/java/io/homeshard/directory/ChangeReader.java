package io.homeshard.directory;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the history from where it stopped. Versions commit in their order, so "all above the last one" misses nothing.
 * Not thread-safe.
 */
final class ChangeReader {
    private static final int PAGE = 1_000;

    private static final String POSITION = """
            SELECT v.version, d.incarnation FROM homeshard.map_version v, homeshard.directory_meta d""";

    private static final String CHANGES = """
            SELECT h.tenant_id, h.to_shard AS shard_id, h.generation, h.state, h.map_version
              FROM homeshard.placement_history h WHERE h.map_version > ? ORDER BY h.map_version LIMIT ?""";

    private final Consumer<PlacementChange> sink;
    private boolean started;
    private long version;
    private int incarnation;

    ChangeReader(Consumer<PlacementChange> sink) {
        this.sink = sink;
    }

    /** Tells everything that was committed before this call. */
    void catchUp(Connection directory) throws SQLException {
        Position now =
                Jdbc.one(directory, POSITION, row -> new Position(row.getLong("version"), row.getInt("incarnation")));
        if (!started || now.incarnation != incarnation || now.version < version) {
            sink.accept(new PlacementChange.Reset(now.version));
            started = true;
            incarnation = now.incarnation;
            version = now.version;
        }
        while (version < now.version) {
            List<PlacementChange> page = Jdbc.list(directory, CHANGES, ChangeReader::change, version, PAGE);
            if (page.isEmpty()) {
                version = now.version; // the version jumped ahead without changes, as after a restore
                sink.accept(new PlacementChange.Reset(version));
                return;
            }
            for (PlacementChange change : page) {
                version = change.mapVersion();
                sink.accept(change);
            }
        }
    }

    private static PlacementChange change(ResultSet row) throws SQLException {
        if (row.getString("shard_id") == null) {
            return new PlacementChange.Removed(TenantId.of(row.getString("tenant_id")), row.getLong("map_version"));
        }
        return new PlacementChange.Placed(Rows.placement(row));
    }

    private record Position(long version, int incarnation) {}
}
