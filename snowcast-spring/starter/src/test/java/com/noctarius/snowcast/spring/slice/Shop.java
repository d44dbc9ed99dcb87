// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.PropertySource;

/**
 * An application for tests of its slices. Its properties define sequencers and integer sequences, and name the stores
 * of the sequences.
 */
@SpringBootApplication(proxyBeanMethods = false)
@PropertySource("classpath:shop.properties")
class Shop {}
