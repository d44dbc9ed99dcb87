// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/**
 * The auto-configuration, for Spring Boot 3.5 and 4, that makes the sequencers and integer sequences of the context
 * available to JPA with Hibernate, and to Spring Data JDBC, R2DBC and MongoDB, if these libraries are on the class
 * path. Each of its beans backs off if the application declares a bean of the same type. The auto-configuration backs
 * off with {@code snowcast.enabled=false}, unless the application declares a sequencer or an integer sequence itself.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.mongo.MongoDataAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.mongo.MongoReactiveDataAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration"
        })
@Conditional(SnowcastDataAutoConfiguration.HasSources.class)
public class SnowcastDataAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastDataAutoConfiguration() {}

    /** The condition that the context can have a sequencer or an integer sequence. */
    static final class HasSources extends AnyNestedCondition {
        HasSources() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty(prefix = "snowcast", name = "enabled", matchIfMissing = true)
        static final class Enabled {}

        @ConditionalOnBean(SnowcastSequencer.class)
        static final class OwnSequencer {}

        @ConditionalOnBean(IntegerSequence.class)
        static final class OwnSequence {}
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {"org.hibernate.SessionFactory", "org.springframework.orm.jpa.AbstractEntityManagerFactoryBean"})
    static class Jpa {
        @Bean
        @ConditionalOnMissingBean
        static SnowcastEntityManagerFactoryPostProcessor snowcastEntityManagerFactoryPostProcessor() {
            return new SnowcastEntityManagerFactoryPostProcessor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.data.jdbc.core.mapping.JdbcMappingContext")
    static class DataJdbc {
        @Bean
        @ConditionalOnBean(JdbcMappingContext.class)
        @ConditionalOnMissingBean
        SnowcastIdCallback snowcastIdCallback(JdbcMappingContext context, ListableBeanFactory beanFactory) {
            return new SnowcastIdCallback(
                    context, NamedBeans.sequencers(beanFactory), NamedBeans.sequences(beanFactory));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.data.r2dbc.mapping.R2dbcMappingContext")
    static class DataR2dbc {
        @Bean
        @ConditionalOnBean(R2dbcMappingContext.class)
        @ConditionalOnMissingBean
        ReactiveSnowcastIdCallback reactiveSnowcastIdCallback(
                R2dbcMappingContext context, ListableBeanFactory beanFactory) {
            return new ReactiveSnowcastIdCallback(
                    context, NamedBeans.sequencers(beanFactory), NamedBeans.sequences(beanFactory));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.data.mongodb.core.mapping.MongoMappingContext",
                "com.mongodb.client.MongoClient"
            })
    static class DataMongo {
        @Bean
        @ConditionalOnBean(MongoMappingContext.class)
        @ConditionalOnMissingBean
        MongoSnowcastIdCallback mongoSnowcastIdCallback(MongoMappingContext context, ListableBeanFactory beanFactory) {
            return new MongoSnowcastIdCallback(
                    context, NamedBeans.sequencers(beanFactory), NamedBeans.sequences(beanFactory));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.data.mongodb.core.mapping.MongoMappingContext",
                "com.mongodb.reactivestreams.client.MongoClient",
                "reactor.core.publisher.Mono"
            })
    static class ReactiveDataMongo {
        @Bean
        @ConditionalOnBean(MongoMappingContext.class)
        @ConditionalOnMissingBean
        ReactiveMongoSnowcastIdCallback reactiveMongoSnowcastIdCallback(
                MongoMappingContext context, ListableBeanFactory beanFactory) {
            return new ReactiveMongoSnowcastIdCallback(
                    context, NamedBeans.sequencers(beanFactory), NamedBeans.sequences(beanFactory));
        }
    }
}
