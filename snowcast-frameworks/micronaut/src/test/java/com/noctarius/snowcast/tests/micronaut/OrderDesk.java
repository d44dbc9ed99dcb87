// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.SnowcastSequencer;
import jakarta.inject.Singleton;

@Singleton
class OrderDesk {
    private final SnowcastSequencer orders;

    OrderDesk(SnowcastSequencer orders) {
        this.orders = orders;
    }

    long newOrderId() throws InterruptedException {
        return orders.next();
    }
}
