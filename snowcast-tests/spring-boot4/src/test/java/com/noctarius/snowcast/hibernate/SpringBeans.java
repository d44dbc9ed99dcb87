// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.Snowcast;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.orm.jpa.hibernate.SpringBeanContainer;

/** Spring's beans, as Spring Boot 4 gives them to Hibernate. The class has another package with the other Boot. */
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
