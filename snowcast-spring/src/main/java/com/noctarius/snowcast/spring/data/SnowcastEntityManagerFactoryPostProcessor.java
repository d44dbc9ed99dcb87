// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.hibernate.SnowcastSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives the sequencers and integer sequences of a context to its JPA entity manager factories, for
 * {@link com.noctarius.snowcast.hibernate.SnowcastId} and {@link com.noctarius.snowcast.hibernate.SnowcastSequence}. Spring Boot has one by auto-configuration; without, declare it:
 *
 * <pre>{@code
 * @Bean
 * static SnowcastEntityManagerFactoryPostProcessor snowcastIds() {
 *     return new SnowcastEntityManagerFactoryPostProcessor();
 * }
 * }</pre>
 *
 * <p>All beans of type {@code SnowcastSequencer} and {@code IntegerSequence} are made before the entity manager factory, so
 * they end after it. An entity knows one by its own name, or by that of its bean. One that there is not fails when the entity manager factory is
 * made. A factory bean whose JPA properties have one of {@link SnowcastSettings} already is left alone.
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
