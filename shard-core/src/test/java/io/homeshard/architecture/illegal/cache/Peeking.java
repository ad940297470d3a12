package io.homeshard.architecture.illegal.cache;

import com.zaxxer.hikari.HikariConfig;
import io.homeshard.architecture.illegal.pool.Pooled;

/** A cache may see neither the pool nor HikariCP, nor read a clock. */
public final class Peeking {
    /** Breaks three rules. */
    public long peek(Pooled pooled, HikariConfig config) throws InterruptedException {
        Thread.sleep(1);
        return System.nanoTime() + pooled.hashCode() + config.hashCode();
    }
}
