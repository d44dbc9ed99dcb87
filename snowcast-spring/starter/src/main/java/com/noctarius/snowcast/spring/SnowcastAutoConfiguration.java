// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * The auto-configuration, for Spring Boot 3.5 and 4, of a {@link Snowcast} bean, and of the sequencers, integer
 * sequences and node leases in the properties {@code snowcast.sequencers}, {@code snowcast.sequences} and
 * {@code snowcast.node-leases}; see {@link SnowcastProperties}.
 *
 * <p>The {@code Snowcast} uses the {@code HazelcastInstance} bean, which Boot creates if it finds a Hazelcast
 * configuration. If there is no such bean, this auto-configuration starts an instance. With
 * {@code snowcast.store=jdbc}, {@link SnowcastJdbcAutoConfiguration} provides a {@code Snowcast} without Hazelcast.
 * This auto-configuration backs off for beans of the application: it creates no {@code Snowcast} if there is one, and
 * no sequencer, integer sequence or node lease if there is a bean with its name.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.hazelcast.HazelcastAutoConfiguration",
            "org.springframework.boot.hazelcast.autoconfigure.HazelcastAutoConfiguration"
        })
@ConditionalOnProperty(prefix = SnowcastProperties.PREFIX, name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties({SnowcastProperties.class, ClusterProperties.class})
@Import({ConfiguredSequencers.class, ConfiguredSequences.class, ConfiguredNodeLeases.class})
public class SnowcastAutoConfiguration {
    static final String STANDALONE_SNOWCAST = "standaloneSnowcast";
    private static final String SNOWCAST = "snowcast";

    /** The types of the beans that provide IDs or node IDs. */
    private static final List<Class<?>> SOURCES =
            List.of(SnowcastSequencer.class, IntegerSequence.class, NodeLease.class);

    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastAutoConfiguration() {}

    @Bean
    static UnknownProperties snowcastUnknownProperties(Environment environment) {
        return new UnknownProperties(environment);
    }

    @Bean
    static PropertiesWithoutEffect snowcastPropertiesWithoutEffect(Environment environment) {
        return new PropertiesWithoutEffect(environment);
    }

    @Bean
    static LeasedNodeIds snowcastLeasedNodeIds() {
        return new LeasedNodeIds();
    }

    @Bean
    static NodeIdStore snowcastNodeIdStore(Environment environment) {
        return new NodeIdStore(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    static Surroundings snowcastSurroundings(Environment environment) {
        return Surroundings.of(environment, Files::exists);
    }

    @Bean
    Attacher snowcastAttacher() {
        return new Attacher();
    }

    /** Lazy, because computing the time-out may create the Hazelcast member. */
    @Bean
    @Lazy
    StartRules snowcastStartRules(
            SnowcastProperties properties,
            Attacher attacher,
            ConfigurableListableBeanFactory beanFactory,
            Environment environment) {
        boolean isOfHazelcast = NodeIdStore.isHazelcastPresent()
                && !NodeIdStore.isJdbc(environment)
                && beanFactory.getBeanNamesForType(HazelcastInstance.class).length > 0;
        return new StartRules(
                attachTimeout(properties, isOfHazelcast, beanFactory), properties.startDetached() ? attacher : null);
    }

    /**
     * Returns the configured time-out. The default includes the time that the application's own member waits after a
     * full restart. If the start failed during this wait, a restart would begin this wait again.
     */
    private static Duration attachTimeout(
            SnowcastProperties properties, boolean isOfHazelcast, ConfigurableListableBeanFactory beanFactory) {
        Duration given = properties.attachTimeout();
        if (given != null && given.isNegative()) {
            throw new InvalidPropertyException(
                    PropertyNames.ATTACH_TIMEOUT,
                    "must not be negative: " + given,
                    "Set it to 2m, or leave it out",
                    null);
        }
        if (given != null) {
            return given;
        }
        Duration longer = isOfHazelcast
                ? MemberSettings.fullRestartWait(hazelcast(properties.hazelcastInstanceRef(), beanFactory)
                        .getBeanInstance())
                : Duration.ZERO;
        return StartRules.DEFAULT.timeout().plus(longer);
    }

    @Bean
    static ReferredStores snowcastReferredStores(ConfigurableListableBeanFactory beanFactory, Environment environment) {
        boolean isStandalone = beanFactory.containsLocalBean(STANDALONE_SNOWCAST);
        return new ReferredStores(beanFactory, environment, isStandalone && StandaloneNode.isSlice(environment));
    }

    /**
     * Creates the lazy {@code Snowcast}, and with it the {@code HazelcastInstance}, if the context has no beans that
     * provide IDs or node IDs. Such an application may be a member that other applications use. If the context has
     * beans that provide IDs or node IDs, Spring creates the {@code Snowcast} only if one of them needs it.
     */
    @Bean
    SmartInitializingSingleton snowcastStart(ListableBeanFactory beanFactory) {
        return () -> {
            boolean hasNoSource =
                    SOURCES.stream().allMatch(type -> beanFactory.getBeanNamesForType(type, true, false).length == 0);
            if (hasNoSource && beanFactory.containsBeanDefinition(SNOWCAST)) {
                beanFactory.getBean(SNOWCAST);
            }
        };
    }

    private static NamedBeanHolder<HazelcastInstance> hazelcast(
            @Nullable String ref, ConfigurableListableBeanFactory beanFactory) {
        String names = String.join(", ", beanFactory.getBeanNamesForType(HazelcastInstance.class));
        try {
            return ref == null
                    ? beanFactory.resolveNamedBean(HazelcastInstance.class)
                    : new NamedBeanHolder<>(ref, beanFactory.getBean(ref, HazelcastInstance.class));
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidPropertyException(
                    PropertyNames.HAZELCAST_INSTANCE_REF,
                    "is missing, and there are several HazelcastInstance beans and none is primary: " + names,
                    "Set it to the name of one, or make one @Primary",
                    e);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new InvalidPropertyException(
                    PropertyNames.HAZELCAST_INSTANCE_REF,
                    "must be the name of a HazelcastInstance bean"
                            + (names.isEmpty() ? ", and there is none: " : " (" + names + "): ") + ref,
                    "Set it to the name of one, or leave it out",
                    e);
        }
    }

    /**
     * The beans whose classes need Hazelcast. An application with node IDs from a database need not have Hazelcast on
     * its class path.
     */
    @Configuration(proxyBeanMethods = false)
    @Order(0)
    @ConditionalOnClass(HazelcastInstance.class)
    static class WithHazelcast {
        @Bean
        static MemberSettings snowcastMemberSettings(ObjectProvider<ClusterProperties> properties) {
            return new MemberSettings(properties);
        }

        @Bean
        static SharedHazelcast snowcastSharedHazelcast() {
            return new SharedHazelcast();
        }
    }

    /**
     * Checks that a {@code HazelcastInstance} bean has the values of {@code snowcast.cluster}. {@link OfHazelcast}
     * checks its own instance. Here the application or {@link SnowcastJdbcAutoConfiguration} declares the
     * {@code Snowcast}. It may use any of the instances or none, so it is enough that one of the instances has the
     * values.
     */
    @Configuration(proxyBeanMethods = false)
    @Order(3)
    @ConditionalOnClass(HazelcastInstance.class)
    @ConditionalOnBean(Snowcast.class)
    @ConditionalOnMissingBean(name = STANDALONE_SNOWCAST)
    static class SnowcastOfTheApplication {
        @Bean
        SmartInitializingSingleton snowcastSettingsCheck(
                MemberSettings settings, ObjectProvider<HazelcastInstance> hazelcasts) {
            return () -> settings.requireAppliedToOneOf(hazelcasts.stream().toList());
        }
    }

    /** Ordered before {@link OwnHazelcastInstance}, which backs off if there is a {@code Snowcast} already. */
    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @Conditional(StandaloneNode.IsWanted.class)
    static class Standalone {
        private static final Log LOG = LogFactory.getLog(Standalone.class);

        @Bean(STANDALONE_SNOWCAST)
        Snowcast standaloneSnowcast(SnowcastProperties properties, Environment environment) {
            int node = StandaloneNode.of(properties.standaloneNode());
            if (StandaloneNode.isSlice(environment)) {
                LOG.info("This test has a slice of the application: its sequencers have node " + node
                        + ", without a cluster");
            } else {
                LOG.warn(PropertyNames.STANDALONE_NODE + "=" + properties.standaloneNode()
                        + ": no cluster is used. IDs are unique only while no other process has node " + node
                        + ", also under another host name, and the clock is not set back before a restart");
            }
            return new StandaloneSnowcast(node);
        }

        /** Throws before Spring creates beans if the fixed node ID is set although there is a cluster. */
        @Bean
        static BeanFactoryPostProcessor snowcastStandaloneCheck(Environment environment) {
            return beanFactory -> {
                if (environment.containsProperty(PropertyNames.STANDALONE_NODE)) {
                    StandaloneNode.requireNoCluster(beanFactory);
                }
            };
        }
    }

    /**
     * Applies if there is neither a {@code HazelcastInstance} nor a {@code Snowcast}, for example because Boot found no
     * Hazelcast configuration, or because Boot 4's Hazelcast module is missing.
     */
    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnClass(HazelcastInstance.class)
    @ConditionalOnMissingBean({HazelcastInstance.class, Snowcast.class})
    static class OwnHazelcastInstance {
        @Bean(destroyMethod = "shutdown")
        @Lazy
        HazelcastInstance hazelcastInstance(
                ObjectProvider<Config> config,
                ObjectProvider<ClientConfig> clientConfig,
                SnowcastProperties properties,
                MemberSettings settings,
                Surroundings surroundings,
                Environment environment,
                ConfigurableListableBeanFactory beanFactory,
                ResourceLoader resources) {
            if (NodeIdStore.isJdbc(environment)) {
                throw NodeIdStore.missing(beanFactory);
            }
            NodeIdStore.requireChoice(environment, beanFactory);
            return OwnHazelcast.start(
                    config.getIfAvailable(),
                    clientConfig.getIfAvailable(),
                    environment.getProperty(PropertyNames.HAZELCAST_CONFIG),
                    properties.lease(),
                    settings,
                    surroundings,
                    resources);
        }
    }

    /** Ordered last, because it backs off if there is a {@code Snowcast} already. */
    @Configuration(proxyBeanMethods = false)
    @Order(4)
    @ConditionalOnMissingBean(Snowcast.class)
    static class OfHazelcast {
        @Bean(SNOWCAST)
        @Lazy
        Snowcast snowcast(
                SnowcastProperties properties,
                ObjectProvider<MemberSettings> settings,
                ConfigurableListableBeanFactory beanFactory,
                Environment environment) {
            if (NodeIdStore.isJdbc(environment)) {
                throw NodeIdStore.missing(beanFactory);
            }
            NodeIdStore.requireChoice(environment, beanFactory);
            NodeIdStore.requireHazelcast();
            NamedBeanHolder<HazelcastInstance> hazelcast = hazelcast(properties.hazelcastInstanceRef(), beanFactory);
            settings.getObject().requireAppliedTo(hazelcast.getBeanInstance());
            MemberJoin.warnUnlessConfigured(hazelcast.getBeanInstance());
            // Declares that this bean depends on the HazelcastInstance, so that Spring destroys this bean before the
            // instance.
            beanFactory.registerDependentBean(hazelcast.getBeanName(), SNOWCAST);
            Integer backupCount = properties.backupCount();
            if (backupCount == null) {
                return SnowcastSystem.snowcast(hazelcast.getBeanInstance());
            }
            try {
                return SnowcastSystem.snowcast(hazelcast.getBeanInstance(), backupCount);
            } catch (IllegalArgumentException e) {
                throw new InvalidPropertyException(
                        PropertyNames.BACKUP_COUNT,
                        "cannot be used: " + e.getMessage(),
                        "Set it to " + Setting.BACKUP_COUNT.allowed()
                                + ", the same in all contexts with this HazelcastInstance",
                        e);
            }
        }
    }
}
