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
 * A post-processor that passes the sequencers and integer sequences of a context to its JPA entity manager factories,
 * for {@link SnowcastId} and {@link SnowcastSequence} with Hibernate. The auto-configuration for Spring Boot declares
 * it. Without Boot, declare it yourself:
 *
 * <pre>{@code
 * @Bean
 * static SnowcastEntityManagerFactoryPostProcessor snowcastIds() {
 *     return new SnowcastEntityManagerFactoryPostProcessor();
 * }
 * }</pre>
 *
 * <p>Spring creates all beans of type {@code SnowcastSequencer} and {@code IntegerSequence} before the entity manager
 * factory, and destroys these beans after the factory. This does not apply to beans that depend on the factory. An
 * annotation names a sequencer or integer sequence by its own name or by the name of its bean. If no sequencer or
 * integer sequence has this name, creating the entity manager factory throws. The post-processor does not change a
 * factory bean whose JPA properties already contain one of the {@link SnowcastSettings}.
 */
public final class SnowcastEntityManagerFactoryPostProcessor implements BeanPostProcessor, BeanFactoryAware {
    private @Nullable ListableBeanFactory beanFactory;

    /** Creates a post-processor. */
    public SnowcastEntityManagerFactoryPostProcessor() {}

    /**
     * Sets the bean factory that contains the sequencers and integer sequences; Spring calls this.
     *
     * @throws IllegalArgumentException if the bean factory is not a {@link ListableBeanFactory}
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        if (!(beanFactory instanceof ListableBeanFactory listable)) {
            throw new IllegalArgumentException("bean factory must be a ListableBeanFactory: " + beanFactory);
        }
        this.beanFactory = listable;
    }

    /**
     * Adds the sequencers and integer sequences to the JPA properties if the bean creates an entity manager factory.
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
