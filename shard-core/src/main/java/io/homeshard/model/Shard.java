package io.homeshard.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL database with its own primary, as the directory describes it. Carries no secret. Immutable and
 * thread-safe.
 *
 * @param id its name
 * @param number 1 to 1023, unique, for ids; 0 until the directory has given one
 * @param jdbcUrl where it is now; {@code jdbc:postgresql:}, without user, password and sslpassword
 * @param region label for placement, or null
 * @param weight share of new tenants relative to other shards, 0 to {@value #MAX_WEIGHT}; 0 takes none
 * @param status what may happen there
 * @param dedicated true when only tenants placed by name may live there
 * @param incarnation counts the databases that have carried this name; the shard's own record must agree
 */
public record Shard(
        ShardId id,
        int number,
        String jdbcUrl,
        @Nullable String region,
        int weight,
        ShardStatus status,
        boolean dedicated,
        int incarnation) {
    /** Largest weight: bounds the points of a shard on the ring and with them memory. */
    public static final int MAX_WEIGHT = 10_000;

    /** Largest shard number. */
    public static final int MAX_NUMBER = 1023;

    /** Parameters that hold a secret or a login, and {@code user:password@host}, which the driver does not even read. */
    private static final Pattern LOGIN =
            Pattern.compile("^[^?]*@|[?&](user|username|password|sslpassword)=", Pattern.CASE_INSENSITIVE);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is left
     */
    public Shard {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("number must be 0 to " + MAX_NUMBER + ", was " + number);
        }
        if (weight < 0 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight must be 0 to " + MAX_WEIGHT + ", was " + weight);
        }
        if (!jdbcUrl.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("jdbcUrl of shard " + id + " must start with jdbc:postgresql:");
        }
        if (LOGIN.matcher(jdbcUrl).find()) {
            throw new IllegalArgumentException("jdbcUrl of shard " + id
                    + " must not carry user, password or sslpassword, nor anything before an '@':"
                    + " hand user and password in as ShardCredentials");
        }
        if (incarnation < 1) {
            throw new IllegalArgumentException("incarnation must be >= 1, was " + incarnation);
        }
    }

    /**
     * A shard to be added: weight 100, no region, not yet in service.
     *
     * @param id its name
     * @param jdbcUrl where it is
     * @return the description
     */
    public static Shard of(String id, String jdbcUrl) {
        return new Shard(ShardId.of(id), 0, jdbcUrl, null, 100, ShardStatus.OFFLINE, false, 1);
    }

    /**
     * The same shard with another weight.
     *
     * @param newWeight 0 to {@value #MAX_WEIGHT}
     * @return a copy
     */
    public Shard weight(int newWeight) {
        return new Shard(id, number, jdbcUrl, region, newWeight, status, dedicated, incarnation);
    }

    /**
     * The same shard in a region.
     *
     * @param newRegion the label
     * @return a copy
     */
    public Shard region(String newRegion) {
        return new Shard(id, number, jdbcUrl, newRegion, weight, status, dedicated, incarnation);
    }

    /**
     * The same shard, for tenants placed by name only.
     *
     * @param newDedicated true to close it to the placement policy
     * @return a copy
     */
    public Shard dedicated(boolean newDedicated) {
        return new Shard(id, number, jdbcUrl, region, weight, status, newDedicated, incarnation);
    }
}
