// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The auto-configuration of the actuator endpoint {@code snowcast} and of {@link SnowcastMetrics}. */
@AutoConfiguration(
        after = SnowcastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnBean(Snowcast.class)
public class SnowcastActuatorAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastActuatorAutoConfiguration() {}

    @Bean
    KnownSequencers snowcastKnownSequencers(ConfigurableListableBeanFactory beanFactory) {
        return new KnownSequencers(
                () -> MadeBeans.of(beanFactory, Snowcast.class),
                () -> MadeBeans.of(beanFactory, SnowcastSequencer.class).values(),
                () -> MadeBeans.of(beanFactory, IntegerSequence.class));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        SnowcastMetrics snowcastMetrics(KnownSequencers sequencers) {
            return new SnowcastMetrics(sequencers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    @ConditionalOnAvailableEndpoint(SnowcastEndpoint.class)
    static class Endpoints {
        @Bean
        @ConditionalOnMissingBean
        SnowcastEndpoint snowcastEndpoint(KnownSequencers sequencers) {
            return new SnowcastEndpoint(sequencers);
        }

        @Bean
        @ConditionalOnMissingBean
        SnowcastEndpointWebExtension snowcastEndpointWebExtension(SnowcastEndpoint endpoint) {
            return new SnowcastEndpointWebExtension(endpoint);
        }
    }
}
