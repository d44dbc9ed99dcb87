// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastSequencer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The application in the manifests of ops/kubernetes. Its HTTP endpoint returns IDs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PodApplication {
    public static void main(String[] args) {
        SpringApplication.run(PodApplication.class, args);
    }

    /** The HTTP endpoint of the application. Spring registers it as a bean because it is nested in a configuration. */
    @RestController
    static class Orders {
        private final SnowcastSequencer orders;

        Orders(SnowcastSequencer orders) {
            this.orders = orders;
        }

        @GetMapping("/orders/id")
        String id() throws InterruptedException {
            return Long.toUnsignedString(orders.next());
        }
    }
}
