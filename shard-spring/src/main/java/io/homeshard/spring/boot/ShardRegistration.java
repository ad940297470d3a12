package io.homeshard.spring.boot;

import io.homeshard.Homeshard;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.spring.boot.HomeshardProperties.ShardProperties;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Registers the shards of {@code homeshard.shards} in the directory where they are absent. Runs at the end of the
 * application's start; an application that rolls the directory's schema out itself calls {@link #register()} after
 * {@code SchemaRollout.migrateDirectory()}. Thread-safe, and safe on several instances at once.
 *
 * <p>What is listed and known already must agree. A difference ends the start and nothing is overwritten: neither the
 * properties nor the directory may win silently.
 */
public final class ShardRegistration implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(ShardRegistration.class);
    private static final String AGAIN =
            "run SchemaRollout.migrateDirectory() and restart, or call ShardRegistration.register() after it";

    private final Homeshard homeshard;
    private final Map<String, ShardProperties> listed;

    ShardRegistration(Homeshard homeshard, Map<String, ShardProperties> listed) {
        this.homeshard = homeshard;
        this.listed = listed;
    }

    /**
     * Registers, unless the directory has no schema yet or cannot be reached, which is logged.
     *
     * @throws IllegalStateException when the directory knows a listed shard with other values; names the property
     */
    @Override
    public void afterSingletonsInstantiated() {
        try {
            register();
        } catch (SchemaMismatchException e) {
            log.info(
                    "homeshard.shards - not registered yet, the directory has no schema; {} (shards={})",
                    AGAIN,
                    listed.keySet());
            log.debug("homeshard.shards - the directory said", e);
        } catch (DirectoryUnavailableException e) {
            log.warn(
                    "homeshard.shards - not registered, the directory cannot be reached; restart, or call"
                            + " ShardRegistration.register() later (shards={})",
                    listed.keySet(),
                    e);
        }
    }

    /**
     * Registers the listed shards that the directory does not know. They are offline until
     * {@code SchemaRollout.migrate()} has put them into service.
     *
     * @throws IllegalStateException when the directory knows a listed shard with other values, or its address under
     *     another name; names the property
     * @throws SchemaMismatchException when the directory has no schema yet
     * @throws DirectoryUnavailableException when the directory cannot be reached
     */
    public void register() {
        listed.forEach(this::register);
    }

    private void register(String name, ShardProperties properties) {
        Shard wanted = PropertyValues.shard(name, properties);
        Optional<Shard> known = homeshard.shards().find(wanted.id());
        if (known.isPresent()) {
            compare(name, properties, known.get());
            return;
        }
        try {
            homeshard.shards().add(wanted);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    PropertyValues.property(name, "url") + " - the directory refuses it: " + e.getMessage(), e);
        }
    }

    private static void compare(String name, ShardProperties properties, Shard known) {
        same(name, "url", properties.url(), known.jdbcUrl());
        if (properties.weight() != null) {
            same(name, "weight", properties.weight(), known.weight());
        }
        if (properties.region() != null) {
            same(name, "region", properties.region(), known.region());
        }
    }

    private static void same(String name, String property, Object listed, @Nullable Object known) {
        if (!Objects.equals(listed, known)) {
            throw new IllegalStateException(PropertyValues.property(name, property)
                    + " - differs from the directory, which is not overwritten; make the two agree, or leave the"
                    + " property out (property=" + listed + ", directory=" + known + ")");
        }
    }
}
