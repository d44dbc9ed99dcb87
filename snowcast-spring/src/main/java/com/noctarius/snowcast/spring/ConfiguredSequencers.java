// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each sequencer in the properties, unless there is one of that name. Which beans there are is
 * decided here, with ahead-of-time processing at build time; their properties are read when they are made.
 */
final class ConfiguredSequencers implements ImportBeanDefinitionRegistrar {
    private final Environment environment;
    private final BeanFactory beanFactory;

    ConfiguredSequencers(Environment environment, BeanFactory beanFactory) {
        this.environment = environment;
        this.beanFactory = beanFactory;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
        for (String key : configured().keySet()) {
            if (registry.isBeanNameInUse(key)) {
                requireSequencer(key);
            } else {
                registry.registerBeanDefinition(key, definition(key));
            }
        }
    }

    /** A property that belongs to no setting is a mistake: without this it would silently have no effect. */
    private Map<String, SnowcastProperties.Sequencer> configured() {
        return Binder.get(environment)
                .bind(
                        PropertyNames.SEQUENCERS,
                        Bindable.mapOf(String.class, SnowcastProperties.Sequencer.class),
                        new NoUnboundElementsBindHandler(
                                new IgnoreTopLevelConverterNotFoundBindHandler(), new UnboundElementsSourceFilter()))
                .orElse(Map.of());
    }

    private void requireSequencer(String key) {
        Class<?> type = beanFactory.getType(key, false);
        if (type != null && !SnowcastSequencer.class.isAssignableFrom(type)) {
            throw new InvalidPropertyException(
                    PropertyNames.of(key),
                    "would be the bean '" + key + "', but there is a bean of that name and of another type: "
                            + type.getName(),
                    "Give the sequencer another key (its name in the cluster can be set by ." + Setting.NAME.key()
                            + "), or rename the other bean",
                    null);
        }
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
                    PropertyNames.of(key, Setting.EPOCH),
                    "is missing; it was there when the beans were decided upon, at build time",
                    "Set it to " + Setting.EPOCH.allowed(),
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
                throw new InvalidPropertyException(
                        PropertyNames.of(key, Setting.NAME),
                        "must not be the name of another sequencer: " + PropertyNames.of(otherKey) + " is also named "
                                + settings.nameOr(key),
                        "Name one of them differently, or remove it",
                        null);
            }
        });
    }

    private static InvalidPropertyException invalid(
            String key, SnowcastProperties.Sequencer settings, InvalidSettingException e) {
        boolean isDefaultLease = e.setting() == Setting.LEASE && settings.lease() == null;
        String action = "Set it to " + e.setting().allowed();
        if (e.setting() == Setting.EPOCH && settings.epoch() == null) {
            action += ". A key with dots is written in brackets: " + PropertyNames.SEQUENCERS + "[my.orders].epoch";
        }
        return new InvalidPropertyException(
                isDefaultLease ? PropertyNames.LEASE : PropertyNames.of(key, e.setting()), e.reason(), action, e);
    }

    private static RuntimeException explain(
            String key, SnowcastProperties.Sequencer settings, RuntimeException failure) {
        String reason = "cannot be used: " + failure.getMessage();
        if (failure instanceof SnowcastSequencerAlreadyRegisteredException) {
            return new InvalidPropertyException(
                    PropertyNames.of(key),
                    reason,
                    "Give it the epoch, layout and backup count that it has in the cluster, or another "
                            + Setting.NAME.key(),
                    failure);
        }
        if (failure instanceof SnowcastNodeIdsExceededException) {
            return new InvalidPropertyException(
                    PropertyNames.of(key, Setting.MAX_LOGICAL_NODES),
                    reason,
                    "Stop an instance of it, wait until a logical node is free, or use another " + Setting.NAME.key()
                            + " with more of them",
                    failure);
        }
        if (failure instanceof IllegalArgumentException) {
            return new InvalidPropertyException(
                    settings.lease() == null ? PropertyNames.LEASE : PropertyNames.of(key, Setting.LEASE),
                    reason,
                    "Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members",
                    failure);
        }
        if (failure instanceof SnowcastException) {
            return new InvalidPropertyException(
                    PropertyNames.of(key), reason, "The reason says what was allowed, and when to try again", failure);
        }
        return failure;
    }
}
