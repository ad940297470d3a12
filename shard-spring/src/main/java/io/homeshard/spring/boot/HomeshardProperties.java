package io.homeshard.spring.boot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties under {@code homeshard}. Immutable; wrong values are refused when they are bound.
 *
 * @param directory where the directory is
 * @param tables which tables belong to tenants
 * @param login how to log in on shards that are not listed here, such as those added at run time
 * @param shards shards to register where absent, with their logins, by shard name
 */
@ConfigurationProperties("homeshard")
public record HomeshardProperties(
        DirectoryProperties directory,
        @DefaultValue TablesProperties tables,
        @DefaultValue LoginProperties login,
        @DefaultValue Map<String, ShardProperties> shards) {
    /**
     * Checks the values, so that a wrong one ends the start.
     *
     * @throws IllegalArgumentException when one is missing or wrong; names the property
     */
    public HomeshardProperties {
        PropertyValues.check(directory);
        PropertyValues.tables(tables);
        shards.forEach(PropertyValues::shard);
        shards = Collections.unmodifiableMap(new LinkedHashMap<>(shards));
    }

    /**
     * The directory database.
     *
     * @param url JDBC URL
     * @param username database role
     * @param password its password
     */
    public record DirectoryProperties(
            String url,
            @DefaultValue("") String username,
            @DefaultValue("") String password) {
        @Override
        public String toString() {
            return "DirectoryProperties[url=" + url + ", username=" + username + ", password=***]";
        }
    }

    /**
     * A login.
     *
     * @param username database role
     * @param password its password
     */
    public record LoginProperties(
            @DefaultValue("") String username,
            @DefaultValue("") String password) {
        @Override
        public String toString() {
            return "LoginProperties[username=" + username + ", password=***]";
        }
    }

    /**
     * The declaration of tables.
     *
     * @param tenantColumn name of the tenant column
     * @param schemas the application's schemas
     * @param reference reference tables, {@code schema.name}
     * @param ignore ignored tables, {@code schema.name}
     * @param writtenInBulk tenant tables that are mostly written by statements of many rows, {@code schema.name}
     */
    public record TablesProperties(
            @DefaultValue("tenant_id") String tenantColumn,
            @DefaultValue("public") List<String> schemas,
            @DefaultValue List<String> reference,
            @DefaultValue List<String> ignore,
            @DefaultValue List<String> writtenInBulk) {}

    /**
     * One shard.
     *
     * @param url JDBC URL without user and password
     * @param username database role
     * @param password its password
     * @param weight share of new tenants; null leaves it to the directory, where a new shard gets 100
     * @param region label for placement, or null
     */
    public record ShardProperties(
            String url,
            @DefaultValue("") String username,
            @DefaultValue("") String password,
            @Nullable Integer weight,
            @Nullable String region) {
        @Override
        public String toString() {
            return "ShardProperties[url=" + url + ", username=" + username + ", password=***, weight=" + weight
                    + ", region=" + region + "]";
        }
    }
}
