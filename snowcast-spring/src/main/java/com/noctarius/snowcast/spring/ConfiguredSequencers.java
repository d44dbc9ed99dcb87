// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** The sequencers in the properties, as beans. */
final class ConfiguredSequencers implements ImportBeanDefinitionRegistrar {
    private static final ConfiguredBeans BEANS = new ConfiguredBeans(
            PropertyNames.SEQUENCERS, "sequencer", SnowcastProperties.Sequencer.class, SnowcastSequencer.class);

    private final Environment environment;
    private final BeanFactory beanFactory;

    ConfiguredSequencers(Environment environment, BeanFactory beanFactory) {
        this.environment = environment;
        this.beanFactory = beanFactory;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
        BEANS.register(environment, beanFactory, registry, ConfiguredSequencers::definition);
    }

    private static RootBeanDefinition definition(String key) {
        RootBeanDefinition definition = new RootBeanDefinition(ConfiguredSequencers.class);
        definition.setFactoryMethodName("sequencer");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, key);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(1, new RuntimeBeanReference(Snowcast.class));
        definition
                .getConstructorArgumentValues()
                .addIndexedArgumentValue(2, new RuntimeBeanReference(SnowcastProperties.class));
        return definition;
    }

    /** Makes the bean of a sequencer; the container calls it. */
    static SequencerFactoryBean sequencer(String key, Snowcast snowcast, SnowcastProperties properties) {
        SnowcastProperties.Sequencer settings = properties.sequencers().get(key);
        if (settings == null) {
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.EPOCH),
                    "is missing; it was there when the beans were decided upon, at build time",
                    "Set it to " + SequencerSetting.EPOCH.allowed(),
                    null);
        }
        requireOwnName(key, settings, properties);
        SequencerConfig config;
        try {
            config = settings.toConfig(key, properties.lease());
        } catch (InvalidSettingException e) {
            throw invalid(key, settings, e);
        }
        return new SequencerFactoryBean(snowcast, config, failure -> explain(key, settings, failure));
    }

    private static void requireOwnName(
            String key, SnowcastProperties.Sequencer settings, SnowcastProperties properties) {
        properties.sequencers().forEach((otherKey, other) -> {
            if (!otherKey.equals(key) && other.nameOr(otherKey).equals(settings.nameOr(key))) {
                throw BEANS.sameName(key, otherKey, settings.nameOr(key), SequencerSetting.NAME);
            }
        });
    }

    private static InvalidPropertyException invalid(
            String key, SnowcastProperties.Sequencer settings, InvalidSettingException e) {
        boolean isDefaultLease = e.setting() == SequencerSetting.LEASE && settings.lease() == null;
        String action = "Set it to " + e.setting().allowed();
        if (e.setting() == SequencerSetting.EPOCH && settings.epoch() == null) {
            action += ". A key with dots is written in brackets: " + PropertyNames.SEQUENCERS + "[my.orders].epoch";
        }
        return new InvalidPropertyException(
                isDefaultLease ? PropertyNames.LEASE : PropertyNames.of(PropertyNames.SEQUENCERS, key, e.setting()),
                e.reason(),
                action,
                e);
    }

    private static RuntimeException explain(
            String key, SnowcastProperties.Sequencer settings, RuntimeException failure) {
        String reason = "cannot be used: " + failure.getMessage();
        if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key),
                    reason,
                    "Give it the epoch, layout and backup count that it has in the cluster, or another "
                            + SequencerSetting.NAME.key(),
                    failure);
        }
        if (failure instanceof SnowcastNodeIdsExceededException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.MAX_LOGICAL_NODES),
                    reason,
                    "Stop an instance of it, wait until a logical node is free, or use another "
                            + SequencerSetting.NAME.key() + " with more of them",
                    failure);
        }
        if (failure instanceof IllegalArgumentException) {
            return new InvalidPropertyException(
                    settings.lease() == null
                            ? PropertyNames.LEASE
                            : PropertyNames.of(PropertyNames.SEQUENCERS, key, SequencerSetting.LEASE),
                    reason,
                    "Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members",
                    failure);
        }
        if (failure instanceof SnowcastException) {
            return new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCERS, key),
                    reason,
                    "The reason says what was allowed, and when to try again",
                    failure);
        }
        return failure;
    }
}
