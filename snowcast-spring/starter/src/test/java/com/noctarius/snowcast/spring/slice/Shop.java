// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/** An application for tests of its slices. Its properties name a sequencer, integer sequences and a store. */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class Shop {}
