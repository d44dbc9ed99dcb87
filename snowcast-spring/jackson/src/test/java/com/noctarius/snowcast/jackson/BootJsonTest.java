// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.noctarius.snowcast.hibernate.Members;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Tag("integration")
class BootJsonTest {
    record Order(@JsonSnowcastId long id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        /** Makes Boot start a member, because an auto-configuration of Hazelcast 5.6 fails without a member. */
        @Bean
        Config hazelcast() {
            return Members.config();
        }
    }

    @Test
    void theMapperOfBootHeedsTheAnnotation() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("snowcast.enabled=false")
                .run()) {
            assertThat(Mapper.writeByBoot(context, new Order(7))).isEqualTo("{\"id\":\"7\"}");
        }
    }
}
