package io.homeshard.guard;

import io.homeshard.model.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A shard's own record of a tenant.
 *
 * @param tenant the tenant
 * @param generation the generation of this row
 * @param state its state
 * @param move the move that last touched it, or null
 * @param epoch epoch of that move, or null
 * @param attempt attempt of that move, or null
 * @param verifiedAttempt the attempt whose rows were verified here, or null
 * @param movedTo name of the shard it went to, or null
 */
public record Ownership(
        TenantId tenant,
        long generation,
        OwnershipState state,
        @Nullable UUID move,
        @Nullable Long epoch,
        @Nullable Integer attempt,
        @Nullable Integer verifiedAttempt,
        @Nullable String movedTo) {
    /** Of a row with all the columns, by name. */
    static Ownership read(ResultSet row) throws SQLException {
        return new Ownership(
                TenantId.of(row.getString("tenant_id")),
                row.getLong("generation"),
                OwnershipState.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getObject("move_id", UUID.class),
                row.getObject("mover_epoch", Long.class),
                row.getObject("attempt", Integer.class),
                row.getObject("verified_attempt", Integer.class),
                row.getString("moved_to"));
    }
}
