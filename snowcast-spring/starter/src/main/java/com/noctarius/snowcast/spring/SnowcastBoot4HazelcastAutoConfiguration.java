// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.hazelcast.autoconfigure.HazelcastConfigCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The auto-configuration that applies the properties {@code snowcast.cluster} to a member that Boot 4 starts from a
 * configuration file. It differs from the class for Boot 3 only in its imports, because Boot 4 moved its Hazelcast
 * classes to another package.
 */
@AutoConfiguration(after = SnowcastAutoConfiguration.class)
@ConditionalOnClass(HazelcastConfigCustomizer.class)
@ConditionalOnBean(MemberSettings.class)
public class SnowcastBoot4HazelcastAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastBoot4HazelcastAutoConfiguration() {}

    @Bean
    HazelcastConfigCustomizer snowcastHazelcastConfigCustomizer(MemberSettings settings) {
        return settings::applyTo;
    }
}
