// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.noctarius.snowcast.SnowcastSequencer;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class OrderDesk {
    private final SnowcastSequencer orders;

    OrderDesk(SnowcastSequencer orders) {
        this.orders = orders;
    }

    long newOrderId() throws InterruptedException {
        return orders.next();
    }
}
