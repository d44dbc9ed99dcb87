// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.hazelcast.HazelcastConfigCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The auto-configuration that applies the properties {@code snowcast.cluster} to a member that Boot 3 starts from a
 * configuration file. Boot 4 needs a class of its own, with different imports, because it moved its Hazelcast classes
 * to another package.
 */
@AutoConfiguration(after = SnowcastAutoConfiguration.class)
@ConditionalOnClass(HazelcastConfigCustomizer.class)
@ConditionalOnBean(MemberSettings.class)
public class SnowcastBoot3HazelcastAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastBoot3HazelcastAutoConfiguration() {}

    @Bean
    HazelcastConfigCustomizer snowcastHazelcastConfigCustomizer(MemberSettings settings) {
        return settings::applyTo;
    }
}
