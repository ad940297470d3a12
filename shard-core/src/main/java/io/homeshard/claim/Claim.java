package io.homeshard.claim;

import io.homeshard.model.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a value. Immutable.
 *
 * @param namespace kind of value, such as {@code email}
 * @param value the value as it was claimed, compared byte by byte; whoever claims normalises it first
 * @param tenant the tenant that holds it
 * @param ownerRef what holds it within the tenant, such as the id of a row on the tenant's shard
 * @param expiresAt when a pending claim may be dropped, by the directory's clock; null when it is confirmed
 */
public record Claim(
        String namespace,
        String value,
        TenantId tenant,
        String ownerRef,
        @Nullable Instant expiresAt) {
    /**
     * Whether the owner has confirmed that it exists.
     *
     * @return false while the claim is pending
     */
    public boolean confirmed() {
        return expiresAt == null;
    }

    /** Leaves the value out: it may be personal data. */
    @Override
    public String toString() {
        return "Claim[namespace=" + namespace + ", tenant=" + tenant + ", "
                + (confirmed() ? "confirmed" : "pending until " + expiresAt) + "]";
    }
}
