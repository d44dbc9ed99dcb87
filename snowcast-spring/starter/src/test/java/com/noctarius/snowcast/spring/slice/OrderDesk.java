// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import org.springframework.stereotype.Component;

@Component
class OrderDesk {
    private final SnowcastSequencer orders;
    private final IntegerSequence products;

    OrderDesk(SnowcastSequencer orders, IntegerSequence products) {
        this.orders = orders;
        this.products = products;
    }

    long newOrderId() throws InterruptedException {
        return orders.next();
    }

    int newProductId() throws InterruptedException {
        return products.nextInt();
    }
}
