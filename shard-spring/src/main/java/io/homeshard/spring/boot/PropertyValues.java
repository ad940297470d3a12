package io.homeshard.spring.boot;

import io.homeshard.model.Shard;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import io.homeshard.spring.boot.HomeshardProperties.DirectoryProperties;
import io.homeshard.spring.boot.HomeshardProperties.ShardProperties;
import io.homeshard.spring.boot.HomeshardProperties.TablesProperties;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Properties as words of the model. What is wrong is refused by the property's name. */
final class PropertyValues {
    private static final Pattern SECRET_IN_URL = Pattern.compile("(?i).*[?&](user|password)=.*");

    private PropertyValues() {}

    static String property(String shard, String name) {
        return "homeshard.shards." + shard + "." + name;
    }

    static void check(@Nullable DirectoryProperties directory) {
        refuse(directory == null || blank(directory.url()), "homeshard.directory.url", "must be set");
        refuse(
                directory != null && SECRET_IN_URL.matcher(directory.url()).matches(),
                "homeshard.directory.url",
                "must not carry user or password; set homeshard.directory.username and .password");
    }

    static TenantSchema tables(TablesProperties tables) {
        refuse(blank(tables.tenantColumn()), "homeshard.tables.tenant-column", "must not be blank");
        refuse(
                tables.schemas().isEmpty() || tables.schemas().stream().anyMatch(PropertyValues::blank),
                "homeshard.tables.schemas",
                "must name at least one schema, and none that is blank");
        Set<TableName> reference = named("homeshard.tables.reference", () -> names(tables.reference()));
        Set<TableName> ignore = named("homeshard.tables.ignore", () -> names(tables.ignore()));
        Set<TableName> bulk = named("homeshard.tables.written-in-bulk", () -> names(tables.writtenInBulk()));
        return named(
                "homeshard.tables",
                () -> new TenantSchema(tables.tenantColumn(), tables.schemas(), Map.of(), reference, ignore, bulk));
    }

    static Shard shard(String name, ShardProperties properties) {
        String url = property(name, "url");
        refuse(blank(properties.url()), url, "must be set");
        refuse(
                SECRET_IN_URL.matcher(properties.url()).matches(),
                url,
                "must not carry user or password; set " + property(name, "username") + " and .password");
        Shard shard = named(url, () -> Shard.of(name, properties.url()));
        Integer weight = properties.weight();
        Shard weighted = weight == null ? shard : named(property(name, "weight"), () -> shard.weight(weight));
        String region = properties.region();
        return region == null ? weighted : weighted.region(region);
    }

    private static Set<TableName> names(List<String> tables) {
        Set<TableName> names = new LinkedHashSet<>();
        tables.forEach(table -> names.add(TableName.parse(table)));
        return names;
    }

    /** Without cause: Boot reports the innermost message of a failed binding, which must name the property. */
    private static <T> T named(String property, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + " - " + e.getMessage());
        }
    }

    private static void refuse(boolean wrong, String property, String rule) {
        if (wrong) {
            throw new IllegalArgumentException(property + " - " + rule);
        }
    }

    private static boolean blank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
