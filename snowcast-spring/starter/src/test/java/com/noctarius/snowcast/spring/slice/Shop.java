// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/** An application whose tests take slices of it; its properties name a sequencer, sequences and a store. */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class Shop {}
