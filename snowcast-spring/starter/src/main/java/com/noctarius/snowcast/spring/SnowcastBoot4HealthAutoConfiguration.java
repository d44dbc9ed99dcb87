// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health indicator {@code snowcast} on Spring Boot 4. The classes for Boot 3 and Boot 4 differ in their imports
 * only: Boot 4 moved its health classes to another package.
 */
@AutoConfiguration(after = SnowcastActuatorAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Snowcast.class)
@ConditionalOnEnabledHealthIndicator("snowcast")
public class SnowcastBoot4HealthAutoConfiguration {
    /** To be called by Spring. */
    public SnowcastBoot4HealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "snowcastHealthIndicator")
    HealthIndicator snowcastHealthIndicator(
            KnownSequencers sequencers, ObjectProvider<StoreDetails> stores, ObjectProvider<Attacher> attacher) {
        return new AbstractHealthIndicator("snowcast could not be asked") {
            @Override
            protected void doHealthCheck(Health.Builder health) {
                SnowcastHealth present = SnowcastHealth.of(sequencers, stores.stream(), attacher.getIfAvailable());
                (present.isUp() ? health.up() : health.down()).withDetails(present.details());
            }
        };
    }
}
