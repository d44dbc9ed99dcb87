// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.spring.Slices.DataJpaTest;
import com.noctarius.snowcast.test.TestIntegerSequence;
import com.noctarius.snowcast.test.TestSequencer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** Tests Spring Boot's test slice for JPA with predictable IDs. */
@Tag("integration")
@DataJpaTest
class KnownOrderIdsTest {
    @TestConfiguration(proxyBeanMethods = false)
    static class KnownIds {
        @Bean
        TestSequencer orders() {
            return TestSequencer.named("orders");
        }

        @Bean
        TestIntegerSequence products() {
            return TestIntegerSequence.named("products");
        }
    }

    @BeforeEach
    void begin(@Autowired TestSequencer orders, @Autowired TestIntegerSequence products) {
        orders.reset();
        products.reset();
    }

    @Test
    void theFirstOrder(@Autowired OrderRepository orders) {
        assertThat(orders.save(new PurchaseOrder("Oslo")).id).isEqualTo(265267917619200000L);
    }

    @Test
    void theFirstProduct(@Autowired ProductRepository products) {
        assertThat(products.save(new Product()).id).isEqualTo(1);
    }
}
