package io.homeshard.spring.boot;

import io.homeshard.Homeshard;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import io.homeshard.spring.ShardRoutingDataSource;
import io.homeshard.spring.boot.HomeshardProperties.DirectoryProperties;
import io.homeshard.spring.boot.HomeshardProperties.LoginProperties;
import io.homeshard.spring.boot.HomeshardProperties.ShardProperties;
import io.homeshard.spring.boot.HomeshardProperties.TablesProperties;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Makes {@link Homeshard} from {@code homeshard.*} and puts its routing DataSource where the application's only
 * DataSource is expected. Steps aside bean by bean. Active when {@code homeshard.directory.url} is set.
 */
@AutoConfiguration(
        beforeName = {
            // the name in Spring Boot 3.5, then in 4.0; an absent one is ignored
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty("homeshard.directory.url")
@EnableConfigurationProperties(HomeshardProperties.class)
public class HomeshardAutoConfiguration {
    /** Name of the directory's DataSource bean; not a candidate for injection by type. */
    static final String DIRECTORY = "homeshardDirectoryDataSource";

    /**
     * The pool of the directory.
     *
     * @param properties the properties
     * @return a DataSource that is injected by name only
     */
    @Bean(name = DIRECTORY, defaultCandidate = false)
    @ConditionalOnMissingBean(name = DIRECTORY)
    DataSource homeshardDirectoryDataSource(HomeshardProperties properties) {
        DirectoryProperties directory = properties.directory();
        return DataSourceBuilder.create()
                .url(directory.url())
                .username(directory.username())
                .password(directory.password())
                .build();
    }

    /**
     * The library.
     *
     * @param directory the directory's DataSource
     * @param properties the properties
     * @return the assembled library, with the listed shards registered
     */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Homeshard homeshard(@Qualifier(DIRECTORY) DataSource directory, HomeshardProperties properties) {
        Homeshard homeshard = Homeshard.builder()
                .directory(directory)
                .credentials(shard -> credentials(shard, properties))
                .tables(tables(properties.tables()))
                .build();
        properties.shards().forEach((name, shard) -> homeshard.shards().add(shard(name, shard)));
        return homeshard;
    }

    /**
     * The application's DataSource.
     *
     * @param homeshard the library
     * @return the routing DataSource
     */
    @Bean
    @Primary
    @ConditionalOnMissingBean
    ShardRoutingDataSource shardRoutingDataSource(Homeshard homeshard) {
        return new ShardRoutingDataSource(homeshard);
    }

    private static ShardCredentials credentials(Shard shard, HomeshardProperties properties) {
        ShardProperties listed = properties.shards().get(shard.id().value());
        if (listed != null && !listed.username().isEmpty()) {
            return new ShardCredentials(listed.username(), listed.password());
        }
        LoginProperties login = properties.login();
        return new ShardCredentials(login.username(), login.password());
    }

    private static Shard shard(String name, ShardProperties properties) {
        Shard shard = Shard.of(name, properties.url()).weight(properties.weight());
        String region = properties.region();
        return region == null ? shard : shard.region(region);
    }

    private static TenantSchema tables(TablesProperties tables) {
        return new TenantSchema(
                tables.tenantColumn(), tables.schemas(), Map.of(), names(tables.reference()), names(tables.ignore()));
    }

    private static Set<TableName> names(List<String> tables) {
        Set<TableName> names = new LinkedHashSet<>();
        tables.forEach(table -> names.add(TableName.parse(table)));
        return names;
    }
}
