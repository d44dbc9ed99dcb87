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
 * Registers a bean for each key in a group of properties, unless there is one of that name. Which beans there are is
 * decided here, with ahead-of-time processing at build time; their properties are read when they are made.
 */
abstract sealed class ConfiguredBeans implements ImportBeanDefinitionRegistrar
        permits ConfiguredSequencers, ConfiguredSequences, ConfiguredNodeLeases {
    private final Environment environment;
    private final BeanFactory beanFactory;
    private final Group group;

    /**
     * One of the groups of properties.
     *
     * @param noun what a bean is called in messages
     * @param factoryMethod the static method of the registrar that makes the bean of a key, which is its first argument
     * @param arguments the types of the beans that are the method's other arguments
     */
    record Group(
            String prefix,
            String noun,
            Class<?> settings,
            Class<?> type,
            String factoryMethod,
            List<Class<?>> arguments) {
        /**
         * Fails if another key has the same name: two beans of one name would be one, with the settings of the first.
         *
         * @param nameOr returns the name that properties give, or else the key
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
        // Without it, a lookup of the bean's type would make the bean, with the cluster and the stores that
        // it needs; some ask before all post-processors are there.
        definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, group.type());
        return definition;
    }

    /** A property that belongs to no setting is a mistake: without this it would silently have no effect. */
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
