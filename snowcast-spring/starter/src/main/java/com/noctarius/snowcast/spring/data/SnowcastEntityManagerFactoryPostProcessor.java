// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.hibernate.SnowcastSettings;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives the sequencers and integer sequences of a context to its JPA entity manager factories, for {@link SnowcastId}
 * and {@link SnowcastSequence} with Hibernate. Spring Boot declares one by auto-configuration; without Boot, declare
 * it:
 *
 * <pre>{@code
 * @Bean
 * static SnowcastEntityManagerFactoryPostProcessor snowcastIds() {
 *     return new SnowcastEntityManagerFactoryPostProcessor();
 * }
 * }</pre>
 *
 * <p>All beans of type {@code SnowcastSequencer} and {@code IntegerSequence} are created before the entity manager
 * factory, so they are destroyed after it. An entity names one by its own name, or by the name of its bean. A name that
 * does not exist fails when the entity manager factory is created. A factory bean whose JPA properties already have one
 * of {@link SnowcastSettings} is left alone.
 */
public final class SnowcastEntityManagerFactoryPostProcessor implements BeanPostProcessor, BeanFactoryAware {
    private @Nullable ListableBeanFactory beanFactory;

    /** Creates a post-processor. */
    public SnowcastEntityManagerFactoryPostProcessor() {}

    /**
     * Takes the bean factory that has the sequencers and integer sequences.
     *
     * @throws IllegalArgumentException if it cannot list its beans
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        if (!(beanFactory instanceof ListableBeanFactory listable)) {
            throw new IllegalArgumentException("bean factory must be a ListableBeanFactory: " + beanFactory);
        }
        this.beanFactory = listable;
    }

    /**
     * Sets the sequencers and integer sequences, if the bean makes an entity manager factory.
     *
     * @return the bean
     */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory && beanFactory != null) {
            Map<String, Object> properties = factory.getJpaPropertyMap();
            if (!properties.containsKey(SnowcastSettings.SEQUENCERS)
                    && !properties.containsKey(SnowcastSettings.SEQUENCES)
                    && !properties.containsKey(SnowcastSettings.HAZELCAST_INSTANCE_NAME)) {
                properties.put(SnowcastSettings.SEQUENCERS, NamedBeans.sequencers(beanFactory));
                properties.put(SnowcastSettings.SEQUENCES, NamedBeans.sequences(beanFactory));
            }
        }
        return bean;
    }
}
