// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The auto-configuration of the store bean {@value #STORE}, which keeps integer sequences in the application's
 * database. It applies if an integer sequence in the properties names this store; or if an integer sequence names no
 * store, and there is no {@code JdbcBlockStore} or {@code JdbcSnowcast}. The store uses the application's
 * {@code JdbcShards} bean. Without such a bean, it uses the {@code DataSource} with the qualifier
 * {@link SnowcastDataSource}, or else the application's only or primary {@code DataSource}. The auto-configuration
 * backs off if there is a bean with the name {@value #STORE}.
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
@ConditionalOnProperty(prefix = SnowcastProperties.PREFIX, name = "enabled", matchIfMissing = true)
@Conditional(SnowcastJdbcStoreAutoConfiguration.IsWanted.class)
@ConditionalOnMissingBean(name = SnowcastJdbcStoreAutoConfiguration.STORE)
public class SnowcastJdbcStoreAutoConfiguration {
    static final String STORE = ReferredStores.JDBC;

    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastJdbcStoreAutoConfiguration() {}

    /** Ordered before {@link Store}, which applies only if there are {@code JdbcShards} already. */
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
    @EnableConfigurationProperties(JdbcStoreProperties.class)
    static class Store {
        /** Spring creates this bean after database migrations, because migrations may create its tables. */
        @Bean(STORE)
        @DependsOnDatabaseInitialization
        JdbcBlockStore snowcastJdbcStore(JdbcShards shards) {
            return new JdbcBlockStore(shards);
        }

        @Bean
        ReferredStores.Definitions snowcastJdbcDefinitions(JdbcShards shards, JdbcStoreProperties properties) {
            return new JdbcDefinitions(shards, properties.createTables());
        }
    }

    static final class IsWanted extends SpringBootCondition implements ConfigurationCondition {
        private static final Log LOG = LogFactory.getLog(IsWanted.class);

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("Integer sequences");
            List<@Nullable String> stores = stores(context.getEnvironment());
            if (stores.contains(STORE)) {
                return ConditionOutcome.match(message.because("one has the store " + STORE));
            }
            if (!stores.contains(null)) {
                return ConditionOutcome.noMatch(message.because("none has the store " + STORE));
            }
            return hasDatabase(context)
                    ? ConditionOutcome.noMatch(message.because("a database serves sequences without a store"))
                    : ConditionOutcome.match(message.because("one has no store of its own"));
        }

        /** Returns whether sequences that name no store have a database: a JDBC store or a {@code JdbcSnowcast}. */
        private static boolean hasDatabase(ConditionContext context) {
            ListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
            return NodeIdStore.isJdbc(context.getEnvironment())
                    || Stream.of(JdbcBlockStore.class, JdbcSnowcast.class)
                            .anyMatch(type ->
                                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length
                                            > 0);
        }

        /** Returns the stores that the sequences in the properties name; null for a sequence that names no store. */
        private static List<@Nullable String> stores(Environment environment) {
            List<@Nullable String> stores = new ArrayList<>();
            try {
                Binder.get(environment)
                        .bind(PropertyNames.SEQUENCES, Bindable.mapOf(String.class, SnowcastProperties.Sequence.class))
                        .orElse(Map.of())
                        .values()
                        .forEach(sequence -> stores.add(sequence.storeRef()));
            } catch (BindException e) {
                LOG.debug("invalid properties; creating the sequences will report them", e);
            }
            return stores;
        }
    }
}
