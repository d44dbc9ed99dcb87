// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.store.BlockStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the stores that properties name. */
final class ReferredStores {
    private final ConfigurableListableBeanFactory beanFactory;

    ReferredStores(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** Returns the bean that a property names, null if it is not set, and has it closed after the sequence. */
    @Nullable
    BlockStore find(String key, Setting setting, @Nullable String ref) {
        if (ref == null) {
            return null;
        }
        try {
            BlockStore store = beanFactory.getBean(ref, BlockStore.class);
            // Spring sees no dependency, since the store is not a parameter.
            beanFactory.registerDependentBean(ref, key);
            return store;
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            String names = String.join(
                    ", ", BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, BlockStore.class));
            throw new InvalidPropertyException(
                    PropertyNames.of(PropertyNames.SEQUENCES, key, setting),
                    "must be " + setting.allowed() + " (" + names + "): " + ref,
                    "Set it to the name of one, or leave it out for the Hazelcast cluster",
                    e);
        }
    }
}
