// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.hazelcast.HazelcastConfigCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The auto-configuration that applies snowcast's settings to the member that Boot 3 starts from a file. The classes for
 * Boot 3 and Boot 4 differ only in their imports, because Boot 4 moved its Hazelcast classes to another package.
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
