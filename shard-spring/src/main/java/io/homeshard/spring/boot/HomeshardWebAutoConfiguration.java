package io.homeshard.spring.boot;

import io.homeshard.Homeshard;
import io.homeshard.spring.web.TenantFilter;
import io.homeshard.spring.web.TenantResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Registers the request filter when the application says, by a {@link TenantResolver} bean, how to find the tenant. */
@AutoConfiguration(after = HomeshardAutoConfiguration.class)
@ConditionalOnClass(name = "jakarta.servlet.Filter")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({Homeshard.class, TenantResolver.class})
public class HomeshardWebAutoConfiguration {
    /**
     * The filter.
     *
     * @param resolver the application's resolver
     * @param homeshard says what failures mean
     * @return the registration, after Spring Security's filter chain (order -100) and before open session in view
     */
    @Bean
    @ConditionalOnMissingBean(name = "homeshardTenantFilter")
    FilterRegistrationBean<TenantFilter> homeshardTenantFilter(TenantResolver resolver, Homeshard homeshard) {
        FilterRegistrationBean<TenantFilter> registration =
                new FilterRegistrationBean<>(new TenantFilter(resolver, homeshard::translate));
        registration.setOrder(Ordered.LOWEST_PRECEDENCE - 100);
        return registration;
    }
}
