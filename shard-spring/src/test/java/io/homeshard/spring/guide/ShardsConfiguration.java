package io.homeshard.spring.guide;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.TenantId;
import io.homeshard.spring.boot.ShardRegistration;
import io.homeshard.spring.web.TenantFilter;
import io.homeshard.spring.web.TenantResolver;
import java.security.Principal;
import java.util.Optional;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/** What an application adds to the auto-configuration. */
@Configuration(proxyBeanMethods = false)
public class ShardsConfiguration {
    // guide: roll-out
    @Bean
    @Lazy(false)
    InitializingBean schema(Homeshard homeshard, ShardRegistration shards) {
        return () -> {
            SchemaRollout rollout = SchemaRollout.of(
                    homeshard, flyway -> flyway.locations("classpath:db/app").schemas("app"));
            rollout.migrateDirectory();
            shards.register(); // those of homeshard.shards
            rollout.migrate();
        };
    }
    // guide: end

    // guide: tenant
    @Bean
    TenantResolver tenants() {
        return request -> Optional.ofNullable(request.getUserPrincipal())
                .map(Principal::getName)
                .map(TenantId::of);
    }
    // guide: end

    // guide: filter
    @Bean
    FilterRegistrationBean<TenantFilter> homeshardTenantFilter(TenantResolver tenants, Homeshard homeshard) {
        FilterRegistrationBean<TenantFilter> filter =
                new FilterRegistrationBean<>(new TenantFilter(tenants, homeshard::translate));
        filter.addUrlPatterns("/api/*");
        filter.setOrder(Ordered.LOWEST_PRECEDENCE - 100); // after Spring Security
        return filter;
    }
    // guide: end
}
