// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds existing beans, also of parent contexts. Creates no lazy bean, because that may connect to a server. */
final class MadeBeans {
    private MadeBeans() {}

    static <T> Map<String, T> of(ConfigurableListableBeanFactory beanFactory, Class<T> type) {
        Map<String, T> made = new LinkedHashMap<>();
        @Nullable BeanFactory next = beanFactory;
        while (next instanceof ConfigurableListableBeanFactory present) {
            for (String name : present.getBeanNamesForType(type, false, false)) {
                if (present.containsSingleton(name)) {
                    Object singleton = present.getSingleton(name);
                    Object bean = singleton instanceof FactoryBean<?> ? present.getBean(name) : singleton;
                    if (type.isInstance(bean)) {
                        made.putIfAbsent(name, type.cast(bean));
                    }
                }
            }
            next = present.getParentBeanFactory();
        }
        return made;
    }
}
