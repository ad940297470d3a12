package io.homeshard.directory;

import org.jspecify.annotations.Nullable;

/**
 * What a shard asks of a tenant that wants to live there, and the other way round. Immutable.
 *
 * @param otherTenants other tenants that live there or are on their way there
 * @param maxTenants so many it takes, or null for any number
 * @param maxBytes so large its database may become, or null for any size
 * @param region where the tenant has to live, or null for anywhere
 */
public record Admission(
        long otherTenants,
        @Nullable Long maxTenants,
        @Nullable Long maxBytes,
        @Nullable String region) {
    /** Nothing is asked. */
    public static final Admission FREE = new Admission(0, null, null, null);
}
