package io.homeshard.directory;

import io.homeshard.model.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In what a shard that is to be added differs from the one that is registered under its name, as messages say it. */
final class ShardDifferences {
    private final List<String> found = new ArrayList<>();

    private ShardDifferences() {}

    /** Empty when nothing differs. The parameters of an address are not printed: a driver may take secrets there. */
    static String between(Shard registered, Shard given) {
        ShardDifferences differences = new ShardDifferences();
        String registeredAt = address(registered);
        String givenAt = address(given);
        differences.compare("jdbcUrl", registeredAt, givenAt);
        if (registeredAt.equals(givenAt) && !registered.jdbcUrl().equals(given.jdbcUrl())) {
            differences.found.add("jdbcUrl: other parameters after " + givenAt);
        }
        differences.compare("region", registered.region(), given.region());
        differences.compare("weight", registered.weight(), given.weight());
        differences.compare("dedicated", registered.dedicated(), given.dedicated());
        differences.compare("incarnation", registered.incarnation(), given.incarnation());
        if (given.number() != 0) {
            differences.compare("number", registered.number(), given.number());
        }
        return differences.found.isEmpty()
                ? ""
                : "; add it with the registered values, or under another name (" + String.join("; ", differences.found)
                        + ")";
    }

    private void compare(String what, @Nullable Object registered, @Nullable Object given) {
        if (!Objects.equals(registered, given)) {
            found.add(what + ": registered=" + registered + ", given=" + given);
        }
    }

    private static String address(Shard shard) {
        int parameters = shard.jdbcUrl().indexOf('?');
        return parameters < 0 ? shard.jdbcUrl() : shard.jdbcUrl().substring(0, parameters);
    }
}
