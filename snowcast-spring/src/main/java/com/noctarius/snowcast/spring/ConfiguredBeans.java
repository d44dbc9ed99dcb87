// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreTopLevelConverterNotFoundBindHandler;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Registers a bean for each key in a group of properties, unless there is one of that name. Which beans there are is
 * decided here, with ahead-of-time processing at build time; their properties are read when they are made.
 *
 * @param group what the names of all properties of the group begin with
 * @param noun what one is called in messages
 * @param settings the type of the properties of one
 * @param type the type of the beans
 */
record ConfiguredBeans(String group, String noun, Class<?> settings, Class<?> type) {
    void register(
            Environment environment,
            BeanFactory beanFactory,
            BeanDefinitionRegistry registry,
            Function<String, RootBeanDefinition> definitions) {
        for (String key : configured(environment).keySet()) {
            if (registry.isBeanNameInUse(key)) {
                requireType(key, beanFactory.getType(key, false));
            } else {
                RootBeanDefinition definition = definitions.apply(key);
                // Whoever asks for its type would have it made otherwise, with the cluster and the stores that it
                // needs, and some ask before all post-processors are there.
                definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, type);
                registry.registerBeanDefinition(key, definition);
            }
        }
    }

    /** A property that belongs to no setting is a mistake: without this it would silently have no effect. */
    private Map<String, ?> configured(Environment environment) {
        return Binder.get(environment)
                .bind(
                        group,
                        Bindable.mapOf(String.class, settings),
                        new NoUnboundElementsBindHandler(
                                new IgnoreTopLevelConverterNotFoundBindHandler(), new UnboundElementsSourceFilter()))
                .orElse(Map.of());
    }

    private void requireType(String key, @Nullable Class<?> present) {
        if (present != null && !type.isAssignableFrom(present)) {
            throw new InvalidPropertyException(
                    PropertyNames.of(group, key),
                    "would be the bean '" + key + "', but there is a bean of that name and of another type: "
                            + present.getName(),
                    "Give the " + noun
                            + " another key (its name in the cluster can be set by .name), or rename the other"
                            + " bean",
                    null);
        }
    }

    /** Two beans of one name would be one, with the settings of whichever comes first. */
    InvalidPropertyException sameName(String key, String otherKey, String name, Setting setting) {
        return new InvalidPropertyException(
                PropertyNames.of(group, key, setting),
                "must not be the name of another " + noun + ": " + PropertyNames.of(group, otherKey) + " is also named "
                        + name,
                "Name one of them differently, or remove it",
                null);
    }
}
