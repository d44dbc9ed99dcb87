// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;

/**
 * A post-processor that shuts down a {@code HazelcastInstance} that Boot has created, when the last context that uses
 * it closes. If the configuration has an instance name, Boot gives the same instance to all contexts of a process, but
 * would shut it down when the first of these contexts closes or fails to start.
 */
final class SharedHazelcast
        implements MergedBeanDefinitionPostProcessor, DestructionAwareBeanPostProcessor, PriorityOrdered {
    /**
     * The key, in the instance's user context, of the number of Spring contexts that use the instance. All class
     * loaders share this user context.
     */
    static final String CONTEXTS = "snowcast.contexts";

    private static final Set<String> PACKAGES_OF_BOOT = Set.of(
            "org.springframework.boot.autoconfigure.hazelcast", "org.springframework.boot.hazelcast.autoconfigure");

    private final Set<String> beansOfBoot = ConcurrentHashMap.newKeySet();

    /** Runs before other post-processors, because other post-processors may create the instance. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
        Method factory = definition.getResolvedFactoryMethod();
        if (HazelcastInstance.class.isAssignableFrom(beanType)
                && factory != null
                && PACKAGES_OF_BOOT.contains(factory.getDeclaringClass().getPackageName())) {
            definition.setDestroyMethodName(""); // This also disables the inferred destroy method.
            beansOfBoot.add(beanName);
        }
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof HazelcastInstance hazelcast && beansOfBoot.contains(beanName)) {
            hazelcast.getUserContext().merge(CONTEXTS, 1, (present, one) -> (Integer) present + 1);
        }
        return bean;
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof HazelcastInstance;
    }

    /** Replaces the destroy method of Boot's instance. Spring has already destroyed all beans that use the instance. */
    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        if (bean instanceof HazelcastInstance hazelcast && beansOfBoot.contains(beanName) && isLeftByLast(hazelcast)) {
            hazelcast.shutdown();
        }
    }

    private static boolean isLeftByLast(HazelcastInstance hazelcast) {
        try {
            return hazelcast
                            .getUserContext()
                            .computeIfPresent(
                                    CONTEXTS, (key, present) -> (Integer) present == 1 ? null : (Integer) present - 1)
                    == null;
        } catch (IllegalStateException e) {
            return false; // The instance was shut down already.
        }
    }
}
