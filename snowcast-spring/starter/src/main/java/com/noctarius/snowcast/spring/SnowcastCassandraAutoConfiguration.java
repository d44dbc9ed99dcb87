// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.store.BlockStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configuration of the meters and health details of Cassandra stores that are beans, even if a bean method
 * declares only the type {@code BlockStore}. It does not require a {@code Snowcast} bean, because an integer sequence
 * can use a store without a {@code Snowcast}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(CassandraBlockStore.class)
@ConditionalOnBean(BlockStore.class)
public class SnowcastCassandraAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastCassandraAutoConfiguration() {}

    @Bean
    CassandraStores snowcastCassandraStores(ConfigurableListableBeanFactory beanFactory) {
        return CassandraStores.ofBeans(beanFactory);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        CassandraStoreMetrics snowcastCassandraStoreMetrics(CassandraStores stores) {
            return new CassandraStoreMetrics(stores, BoundMeters.REFRESH_PERIOD);
        }
    }
}
