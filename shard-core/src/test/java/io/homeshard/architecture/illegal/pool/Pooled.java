package io.homeshard.architecture.illegal.pool;

import com.zaxxer.hikari.HikariConfig;
import io.homeshard.architecture.illegal.cache.Peeking;

/** A pool may see HikariCP but not the cache, with which it forms a cycle. */
public final class Pooled {
    /** Breaks one rule. */
    public int pool(Peeking peeking, HikariConfig config) {
        return peeking.hashCode() + config.hashCode();
    }
}
