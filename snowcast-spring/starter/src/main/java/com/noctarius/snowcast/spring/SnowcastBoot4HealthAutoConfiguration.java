// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configuration of the health indicators {@code snowcast} and {@code hazelcast} for Spring Boot 4. It differs
 * from the class for Boot 3 only in its imports, because Boot 4 moved its health classes to another package.
 */
@AutoConfiguration(
        after = SnowcastActuatorAutoConfiguration.class,
        beforeName =
                "org.springframework.boot.hazelcast.autoconfigure.health.HazelcastHealthContributorAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Snowcast.class)
public class SnowcastBoot4HealthAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastBoot4HealthAutoConfiguration() {}

    @Bean
    @ConditionalOnEnabledHealthIndicator("snowcast")
    @ConditionalOnMissingBean(name = "snowcastHealthIndicator")
    HealthIndicator snowcastHealthIndicator(
            KnownSequencers sequencers, ObjectProvider<StoreDetails> stores, ObjectProvider<Attacher> attacher) {
        return new AbstractHealthIndicator("snowcast health check failed") {
            @Override
            protected void doHealthCheck(Health.Builder health) {
                SnowcastHealth present = SnowcastHealth.of(sequencers, stores.stream(), attacher.getIfAvailable());
                (present.isUp() ? health.up() : health.down()).withDetails(present.details());
            }
        };
    }

    /** The beans whose classes need Hazelcast. An application need not have Hazelcast on its class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HazelcastInstance.class)
    @ConditionalOnBean(HazelcastInstance.class)
    static class WithHazelcast {
        /** Replaces Boot's indicator, which calls the cluster and may block; see {@link HazelcastHealth}. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("hazelcast")
        @ConditionalOnMissingBean(name = {"hazelcastHealthIndicator", "hazelcastHealthContributor"})
        HealthContributor hazelcastHealthContributor(ConfigurableListableBeanFactory beanFactory) {
            List<String> names = HazelcastHealth.namesOf(beanFactory);
            return names.size() == 1
                    ? indicator(beanFactory, names.get(0))
                    : CompositeHealthContributor.fromMap(names.stream()
                            .collect(Collectors.toMap(name -> name, name -> indicator(beanFactory, name))));
        }

        private static HealthIndicator indicator(ConfigurableListableBeanFactory beanFactory, String name) {
            return new AbstractHealthIndicator("Hazelcast health check failed") {
                @Override
                protected void doHealthCheck(Health.Builder health) {
                    HazelcastHealth present = HazelcastHealth.of(beanFactory, name);
                    health.status(present.status()).withDetails(present.details());
                }
            };
        }
    }
}
