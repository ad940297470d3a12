package io.homeshard.model;

import java.util.regex.Pattern;

/**
 * Name of a shard; a name, never an address. Immutable and thread-safe.
 *
 * @param value a lower-case letter, then up to 39 lower-case letters, digits, {@code _} or {@code -}
 */
public record ShardId(String value) implements Comparable<ShardId> {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException when the value does not match
     */
    public ShardId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("shardId must match " + FORM + ", was '" + value + "'");
        }
    }

    /**
     * A shard by its name.
     *
     * @param value the name
     * @return the shard id
     */
    public static ShardId of(String value) {
        return new ShardId(value);
    }

    @Override
    public int compareTo(ShardId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
