// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.reactive;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/**
 * A {@code Shop} with Spring Data R2DBC. It is a separate application, because one application would not find both the
 * JDBC and the R2DBC repositories.
 */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class ReactiveShop {}
