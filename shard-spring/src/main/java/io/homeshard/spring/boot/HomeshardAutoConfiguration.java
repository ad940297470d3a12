package io.homeshard.spring.boot;

import io.homeshard.Homeshard;
import io.homeshard.HomeshardBuilder;
import io.homeshard.cache.CacheConfig;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.observe.ShardListener;
import io.homeshard.placement.PlacementPolicy;
import io.homeshard.pool.PoolConfig;
import io.homeshard.spring.ShardCredentialsProvider;
import io.homeshard.spring.ShardRoutingDataSource;
import io.homeshard.spring.boot.HomeshardProperties.DirectoryProperties;
import io.homeshard.spring.boot.HomeshardProperties.LoginProperties;
import io.homeshard.spring.boot.HomeshardProperties.ShardProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
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
     * The library. Beans of the types {@link PlacementPolicy}, {@link ShardListener}, {@link PoolConfig},
     * {@link CacheConfig} and {@link ShardCredentialsProvider} are used where there are any; of two of a type one must
     * be primary. Registers no shard: {@link ShardRegistration} does.
     *
     * @param directory the directory's DataSource
     * @param properties the properties
     * @param beans where the optional beans are looked up
     * @return the assembled library
     */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Homeshard homeshard(@Qualifier(DIRECTORY) DataSource directory, HomeshardProperties properties, BeanFactory beans) {
        ShardCredentialsProvider logins =
                beans.getBeanProvider(ShardCredentialsProvider.class).getIfAvailable(() -> listed(properties));
        HomeshardBuilder builder = Homeshard.builder()
                .directory(directory)
                .credentials(logins::credentials)
                .tables(PropertyValues.tables(properties.tables()));
        beans.getBeanProvider(PlacementPolicy.class).ifAvailable(builder::policy);
        beans.getBeanProvider(ShardListener.class).ifAvailable(builder::listener);
        beans.getBeanProvider(PoolConfig.class).ifAvailable(builder::pool);
        beans.getBeanProvider(CacheConfig.class).ifAvailable(builder::cache);
        return builder.build();
    }

    /**
     * Registers the shards of {@code homeshard.shards} once all beans are there.
     *
     * @param homeshard the library
     * @param properties the properties
     * @return the registration, which can be asked again after a roll-out
     */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    ShardRegistration homeshardShardRegistration(Homeshard homeshard, HomeshardProperties properties) {
        return new ShardRegistration(homeshard, properties.shards());
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

    private static ShardCredentialsProvider listed(HomeshardProperties properties) {
        return shard -> listed(properties, shard);
    }

    private static ShardCredentials listed(HomeshardProperties properties, Shard shard) {
        ShardProperties listed = properties.shards().get(shard.id().value());
        if (listed != null && !listed.username().isEmpty()) {
            return new ShardCredentials(listed.username(), listed.password());
        }
        LoginProperties login = properties.login();
        return new ShardCredentials(login.username(), login.password());
    }
}
