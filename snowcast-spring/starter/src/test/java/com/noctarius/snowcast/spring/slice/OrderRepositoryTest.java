// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.spring.Slices.DataJpaTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** Tests snowcast in Spring Boot's test slice for JPA. */
@Tag("integration")
@DataJpaTest
class OrderRepositoryTest {
    private final OrderRepository orders;
    private final ProductRepository products;

    OrderRepositoryTest(@Autowired OrderRepository orders, @Autowired ProductRepository products) {
        this.orders = orders;
        this.products = products;
    }

    @Test
    void anOrderGetsItsId() {
        assertThat(orders.save(new PurchaseOrder("Oslo")).id).isPositive();
    }

    @Test
    void aProductGetsItsId() {
        assertThat(products.save(new Product()).id).isGreaterThan(5_000_000);
    }

    @Test
    void noMemberIsStarted(@Autowired ApplicationContext context) {
        assertThat(context.getBeanNamesForType(HazelcastInstance.class)).isEmpty();
    }
}
