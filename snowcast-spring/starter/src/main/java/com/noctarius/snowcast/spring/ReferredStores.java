// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.store.BlockStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the stores that properties name. */
final class ReferredStores {
    private final ConfigurableListableBeanFactory beanFactory;
    private final boolean isSlice;

    /** In a slice of an application, which leaves stores out, those that are missing are replaced by memory. */
    ReferredStores(ConfigurableListableBeanFactory beanFactory, boolean isSlice) {
        this.beanFactory = beanFactory;
        this.isSlice = isSlice;
    }

    /** Returns the bean that {@code store-ref} names, null if it is not set, and has it closed after the sequence. */
    @Nullable
    BlockStore find(String key, @Nullable String ref) {
        if (ref == null) {
            return null;
        }
        try {
            BlockStore store = beanFactory.getBean(ref, BlockStore.class);
            // Spring sees no dependency, since the store is not a parameter.
            beanFactory.registerDependentBean(ref, key);
            return store;
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            if (isSlice) {
                SnowcastProperties.Sequence settings = Objects.requireNonNull(beanFactory
                        .getBean(SnowcastProperties.class)
                        .sequences()
                        .get(key));
                return StandaloneSnowcast.memory(settings.nameOr(key), settings.firstValue(), settings.lastValue());
            }
            String names = String.join(
                    ", ", BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, BlockStore.class));
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCES, key, Setting.STORE_REF),
                    "must be " + Setting.STORE_REF.allowed() + " (" + names + "): " + ref,
                    "Set it to the name of one, or leave it out for the Hazelcast cluster",
                    e);
        }
    }
}
