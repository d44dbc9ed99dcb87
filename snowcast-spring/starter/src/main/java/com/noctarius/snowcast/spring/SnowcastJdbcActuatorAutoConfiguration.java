// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcMonitor;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import com.noctarius.snowcast.store.BlockStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configuration of the meters and health details of JDBC stores that are beans, even if a bean method declares
 * only the type {@code BlockStore}. If there are a meter registry and a single or primary {@code JdbcShards} bean, it
 * also declares a monitor of these shards, unless the application declares a monitor. It does not require a
 * {@code Snowcast} bean, because an integer sequence can use a store without a {@code Snowcast}.
 */
@AutoConfiguration(
        after = SnowcastJdbcStoreAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(JdbcBlockStore.class)
@ConditionalOnBean(BlockStore.class)
public class SnowcastJdbcActuatorAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastJdbcActuatorAutoConfiguration() {}

    @Bean
    JdbcStores snowcastJdbcStores(ConfigurableListableBeanFactory beanFactory) {
        return JdbcStores.ofBeans(beanFactory);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        private static final Duration MONITOR_PERIOD = Duration.ofMinutes(1);

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(JdbcShards.class)
        ScheduledJdbcMonitor snowcastJdbcMonitor(JdbcShards shards) {
            return new JdbcMonitor(shards).schedule(MONITOR_PERIOD);
        }

        @Bean
        @ConditionalOnMissingBean
        JdbcStoreMetrics snowcastJdbcStoreMetrics(JdbcStores stores) {
            return new JdbcStoreMetrics(stores, BoundMeters.REFRESH_PERIOD);
        }
    }
}
