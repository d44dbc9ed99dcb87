// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.reactive;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/** As the other shop, with Spring Data R2DBC: repositories of both are not found by one application. */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class ReactiveShop {}
