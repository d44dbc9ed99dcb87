// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcShards;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Configures the store {@value #STORE} over the application's {@code DataSource}, or a {@link SnowcastDataSource}, if a
 * property names it as the store of an integer sequence. Backs off for a {@code JdbcShards} bean, which it then uses,
 * and for a bean of that name.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        },
        beforeName = {
            "com.noctarius.snowcast.spring.SnowcastCassandraAutoConfiguration",
            "com.noctarius.snowcast.spring.SnowcastJdbcActuatorAutoConfiguration"
        })
@ConditionalOnClass(JdbcBlockStore.class)
@Conditional(SnowcastJdbcStoreAutoConfiguration.IsNamed.class)
@ConditionalOnMissingBean(name = SnowcastJdbcStoreAutoConfiguration.STORE)
public class SnowcastJdbcStoreAutoConfiguration {
    static final String STORE = "jdbc";

    /** To be called by Spring. */
    public SnowcastJdbcStoreAutoConfiguration() {}

    /** Before the other: the store is there only if this one, or the user, has made shards. */
    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnMissingBean(JdbcShards.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    @EnableConfigurationProperties(JdbcStoreProperties.class)
    static class OfTheApplication {
        @Bean
        JdbcShards snowcastJdbcShards(
                ObjectProvider<DataSource> application,
                @SnowcastDataSource ObjectProvider<DataSource> own,
                JdbcStoreProperties properties) {
            return JdbcShards.builder()
                    .shard(own.getIfAvailable(application::getObject))
                    .tableName(properties.checkedTableName())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnBean(JdbcShards.class)
    static class Store {
        @Bean(STORE)
        JdbcBlockStore snowcastJdbcStore(JdbcShards shards) {
            return new JdbcBlockStore(shards);
        }
    }

    static final class IsNamed extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isNamed = isNamed(context.getEnvironment());
            return new ConditionOutcome(
                    isNamed,
                    ConditionMessage.forCondition("Integer sequences")
                            .because((isNamed ? "one" : "none") + " has the store " + STORE));
        }

        private static boolean isNamed(Environment environment) {
            try {
                return Binder.get(environment)
                        .bind(PropertyNames.SEQUENCES, Bindable.mapOf(String.class, Reference.class))
                        .orElse(Map.of())
                        .values()
                        .stream()
                        .anyMatch(reference -> STORE.equals(reference.storeRef));
            } catch (BindException e) {
                return false; // Those who make the sequences say what is wrong.
            }
        }
    }

    /** Of all properties of an integer sequence, the one that names a store. */
    record Reference(@Nullable String storeRef) {}
}
