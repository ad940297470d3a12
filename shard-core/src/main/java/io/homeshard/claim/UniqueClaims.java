package io.homeshard.claim;

import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Values that may be used once over all tenants. The claim is the identity, and what owns it on a shard follows: claim
 * first, write the owner on the shard, then confirm. A crash in between leaves a pending claim, which
 * {@link #sweepExpired} confirms or drops after a look at the shard.
 *
 * <p>Values are compared byte by byte; the caller normalises them. Namespaces have 1 to 64 characters, values 1 to 512,
 * owner references 1 to 256, else {@link IllegalArgumentException}. Thread-safe. Every method throws
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached.
 */
public interface UniqueClaims {
    /**
     * Claims in a directory.
     *
     * @param directory hands out connections to it, in autocommit
     * @return the claims
     */
    static UniqueClaims jdbc(DataSource directory) {
        return new JdbcUniqueClaims(directory);
    }

    /**
     * Claims a value until it is confirmed or its time has run out. Repeating it renews the time. A claim of another
     * owner stands in the way also when its time has run out.
     *
     * @param namespace kind of value
     * @param value the value
     * @param tenant the tenant that wants it
     * @param ownerRef what wants it within the tenant
     * @param ttl how long the claim stays pending, at least 1 ms: longer than writing the owner takes
     * @return whether it is granted, and who holds it
     */
    ClaimResult claim(String namespace, String value, TenantId tenant, String ownerRef, Duration ttl);

    /**
     * Claims a value for good, for an owner that exists already or needs no row.
     *
     * @param namespace kind of value
     * @param value the value
     * @param tenant the tenant that wants it
     * @param ownerRef what wants it within the tenant
     * @return whether it is granted, and who holds it
     */
    ClaimResult claimConfirmed(String namespace, String value, TenantId tenant, String ownerRef);

    /**
     * Says that the owner exists. Works also after the time has run out, as long as the claim is there.
     *
     * @param namespace kind of value
     * @param value the value
     * @param tenant the tenant that holds it
     * @param ownerRef what holds it within the tenant
     * @return done, already done, or why not: then the owner must go, since the value is not its own
     */
    StepResult confirm(String namespace, String value, TenantId tenant, String ownerRef);

    /**
     * Gives a value up. Somebody else's claim is never touched.
     *
     * @param namespace kind of value
     * @param value the value
     * @param tenant the tenant that holds it
     * @param ownerRef what holds it within the tenant
     * @return done, already done (nobody holds it), or why not (another holds it)
     */
    StepResult release(String namespace, String value, TenantId tenant, String ownerRef);

    /**
     * Who holds a value.
     *
     * @param namespace kind of value
     * @param value the value
     * @return the claim, or empty
     */
    Optional<Claim> find(String namespace, String value);

    /**
     * Pending claims whose time has run out, oldest first, at most 1000.
     *
     * @param namespace kind of value
     * @return the claims
     */
    List<Claim> expired(String namespace);

    /**
     * Confirms each expired claim whose owner is found, and drops the others unless they changed meanwhile.
     *
     * @param namespace kind of value
     * @param check looks for the owner
     * @return what was done
     */
    ClaimSweep sweepExpired(String namespace, ClaimCheck check);
}
