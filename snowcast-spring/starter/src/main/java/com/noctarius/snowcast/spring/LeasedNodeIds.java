// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLease;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;

/**
 * Adds a property source for libraries that read their worker ID from a property. Its properties are
 * {@code snowcast.node-leases.<key>.node-id}, one for each node lease that is a bean; the key is the bean's name.
 * Reading a property acquires the lease, if necessary, and returns its current node ID.
 */
final class LeasedNodeIds implements BeanFactoryPostProcessor, EnvironmentAware, PriorityOrdered {
    private static final String NAME = "snowcastNodeIds";
    private static final String PREFIX = PropertyNames.NODE_LEASES + '.';
    private static final String SUFFIX = ".node-id";

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    /** Runs before Spring replaces the placeholders in bean definitions. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        if (environment instanceof ConfigurableEnvironment configurable) {
            MutablePropertySources sources = configurable.getPropertySources();
            sources.remove(NAME); // An earlier context with the same environment may have added the source.
            sources.addLast(new OfBeans(beanFactory));
        }
    }

    /** The property source. Its properties cannot be enumerated, because enumerating them would acquire all leases. */
    private static final class OfBeans extends PropertySource<BeanFactory> {
        OfBeans(BeanFactory beans) {
            super(NAME, beans);
        }

        @Override
        public @Nullable Object getProperty(String name) {
            if (!name.startsWith(PREFIX)
                    || !name.endsWith(SUFFIX)
                    || name.length() <= PREFIX.length() + SUFFIX.length()) {
                return null;
            }
            String key = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
            boolean isLease = source.containsBean(key) && source.isTypeMatch(key, NodeLease.class);
            return isLease ? source.getBean(key, NodeLease.class).nodeId() : null;
        }
    }
}
