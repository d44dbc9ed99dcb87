// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.reactive;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/** An application like {@code Shop} with Spring Data R2DBC. It is a separate application, because one cannot find the repositories of both modules. */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class ReactiveShop {}
