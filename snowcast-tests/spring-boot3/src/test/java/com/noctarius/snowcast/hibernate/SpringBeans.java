// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.Snowcast;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.orm.hibernate5.SpringBeanContainer;

/** Passes Spring's beans to Hibernate. Boot 4 has {@code SpringBeanContainer} in another package. */
final class SpringBeans {
    private SpringBeans() {}

    static BeanContainer none() {
        return new SpringBeanContainer(new DefaultListableBeanFactory());
    }

    static BeanContainer of(Snowcast snowcast) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("snowcast", snowcast);
        return new SpringBeanContainer(beans);
    }
}
