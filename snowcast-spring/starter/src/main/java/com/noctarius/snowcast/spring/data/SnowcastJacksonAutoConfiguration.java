// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.jackson.SnowcastJackson2Module;
import com.noctarius.snowcast.jackson.SnowcastJackson3Module;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configuration, for Spring Boot 3.5 and 4, that supports
 * {@link com.noctarius.snowcast.jackson.JsonSnowcastId} in Jackson's mappers, in path variables and request parameters,
 * and in the schemas of springdoc. It also applies with {@code snowcast.enabled=false}, because that property must not
 * change the JSON of an application.
 */
@AutoConfiguration
public class SnowcastJacksonAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastJacksonAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    SnowcastIdConverter snowcastIdConverter() {
        return new SnowcastIdConverter();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.swagger.v3.core.converter.ModelConverter")
    static class OpenApi {
        @Bean
        @ConditionalOnMissingBean
        SnowcastIdModelConverter snowcastIdModelConverter() {
            return new SnowcastIdModelConverter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
    static class Jackson2 {
        @Bean
        @ConditionalOnMissingBean
        SnowcastJackson2Module snowcastJackson2Module() {
            return new SnowcastJackson2Module();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "tools.jackson.databind.json.JsonMapper")
    static class Jackson3 {
        @Bean
        @ConditionalOnMissingBean
        SnowcastJackson3Module snowcastJackson3Module() {
            return new SnowcastJackson3Module();
        }
    }
}
