package io.homeshard.directory;

import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How rows of the directory become values. Columns are read by name. */
final class Rows {
    private Rows() {}

    static Placement placement(ResultSet row) throws SQLException {
        return new Placement(
                TenantId.of(row.getString("tenant_id")),
                ShardId.of(row.getString("shard_id")),
                row.getLong("generation"),
                PlacementState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getLong("map_version"));
    }

    static Shard shard(ResultSet row) throws SQLException {
        return new Shard(
                ShardId.of(row.getString("shard_id")),
                row.getInt("shard_number"),
                row.getString("jdbc_url"),
                row.getString("region"),
                row.getInt("weight"),
                ShardStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getBoolean("dedicated"),
                row.getInt("incarnation"));
    }

    static MoveRecord move(ResultSet row) throws SQLException {
        return new MoveRecord(
                row.getObject("id", UUID.class),
                TenantId.of(row.getString("tenant_id")),
                ShardId.of(row.getString("source")),
                ShardId.of(row.getString("target")),
                row.getLong("generation"),
                MovePhase.valueOf(row.getString("phase")),
                row.getLong("epoch"),
                row.getInt("attempt"),
                row.getString("lease_owner"),
                row.getBoolean("lease_expired"),
                row.getBoolean("superseded"),
                instant(row, "started_at"),
                instant(row, "phase_since"),
                row.getString("reason"));
    }

    static FreezeLimits limits(ResultSet row) throws SQLException {
        return new FreezeLimits(
                millis(row, "window_left_ms"),
                millis(row, "freeze_budget_ms"),
                Duration.ofMillis(row.getLong("frozen_for_ms")));
    }

    static MoveProgress progress(ResultSet row) throws SQLException {
        return new MoveProgress(
                row.getObject("move_id", UUID.class),
                row.getInt("attempt"),
                row.getLong("rows"),
                row.getLong("bytes"),
                row.getLong("expected_rows"),
                row.getLong("expected_bytes"),
                row.getBoolean("complete"),
                Duration.ofMillis(row.getLong("elapsed_ms")),
                instant(row, "at"));
    }

    static ShardLoad load(ResultSet row) throws SQLException {
        return new ShardLoad(
                ShardId.of(row.getString("shard_id")),
                row.getLong("tenants"),
                row.getObject("max_tenants", Long.class));
    }

    private static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
        Long millis = row.getObject(column, Long.class);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    static MoveStep step(ResultSet row) throws SQLException {
        return new MoveStep(
                MovePhase.valueOf(row.getString("phase")),
                row.getLong("epoch"),
                row.getInt("attempt"),
                instant(row, "at"),
                row.getString("detail"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
