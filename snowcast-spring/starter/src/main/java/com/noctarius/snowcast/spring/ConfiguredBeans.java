// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
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
 * A registrar that defines a bean for each key of a group of properties. The key is the name of the bean; if a bean has
 * that name already, none is defined. The registrar reads the keys when Spring registers bean definitions; with
 * ahead-of-time processing, that is at build time. Spring reads the values of the properties when it creates the beans.
 */
abstract sealed class ConfiguredBeans implements ImportBeanDefinitionRegistrar
        permits ConfiguredSequencers, ConfiguredSequences, ConfiguredNodeLeases {
    private final Environment environment;
    private final BeanFactory beanFactory;
    private final Group group;

    /**
     * A group of properties, such as {@code snowcast.sequencers}.
     *
     * @param noun the noun for a bean of the group, in messages
     * @param factoryMethod the name of the registrar's static method that creates a bean; its first argument is the key
     * @param arguments the types of the beans that Spring passes as the method's other arguments
     */
    record Group(
            String prefix,
            String noun,
            Class<?> settings,
            Class<?> type,
            String factoryMethod,
            List<Class<?>> arguments) {
        /**
         * Throws if another key of the group stands for the same name as this key, because the second bean could
         * silently have the settings of the first.
         *
         * @param nameOr returns the name that is set in the properties, or the key if no name is set
         */
        <P> void requireOwnName(String key, Map<String, P> all, BiFunction<P, String, String> nameOr) {
            String name = nameOr.apply(all.get(key), key);
            all.forEach((otherKey, other) -> {
                if (!otherKey.equals(key) && nameOr.apply(other, otherKey).equals(name)) {
                    throw new InvalidPropertyException(
                            PropertyNames.of(prefix, key, Setting.NAME),
                            "must not be the name of another " + noun + ": " + PropertyNames.of(prefix, otherKey)
                                    + " is also named " + name,
                            "Name one of them differently, or remove it",
                            null);
                }
            });
        }
    }

    ConfiguredBeans(Environment environment, BeanFactory beanFactory, Group group) {
        this.environment = environment;
        this.beanFactory = beanFactory;
        this.group = group;
    }

    @Override
    public final void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
        for (String key : configured(environment).keySet()) {
            if (registry.isBeanNameInUse(key)) {
                requireType(key, beanFactory.getType(key, false));
            } else {
                registry.registerBeanDefinition(key, definition(key));
            }
        }
    }

    private RootBeanDefinition definition(String key) {
        RootBeanDefinition definition = new RootBeanDefinition(getClass());
        definition.setFactoryMethodName(group.factoryMethod());
        ConstructorArgumentValues values = definition.getConstructorArgumentValues();
        values.addIndexedArgumentValue(0, key);
        for (Class<?> argument : group.arguments()) {
            values.addIndexedArgumentValue(values.getArgumentCount(), new RuntimeBeanReference(argument));
        }
        // Tell Spring the bean's type. Without this attribute, looking up the type would create the bean, and connect
        // to the cluster and the stores, possibly before all post-processors exist.
        definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, group.type());
        return definition;
    }

    /** Reads the group. Throws for an unknown property, which would silently have no effect. */
    private Map<String, ?> configured(Environment environment) {
        return Binder.get(environment)
                .bind(
                        group.prefix(),
                        Bindable.mapOf(String.class, group.settings()),
                        new NoUnboundElementsBindHandler(
                                new IgnoreTopLevelConverterNotFoundBindHandler(), new UnboundElementsSourceFilter()))
                .orElse(Map.of());
    }

    private void requireType(String key, @Nullable Class<?> present) {
        if (present != null && !group.type().isAssignableFrom(present)) {
            throw new InvalidPropertyException(
                    PropertyNames.of(group.prefix(), key),
                    "would be the bean '" + key + "', but there is a bean of that name and of another type: "
                            + present.getName(),
                    "Give the " + group.noun()
                            + " another key (its name in the cluster can be set by .name), or rename the other"
                            + " bean",
                    null);
        }
    }
}
