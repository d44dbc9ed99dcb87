// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Prints some IDs, and ends. */
@QuarkusMain
class Shop implements QuarkusApplication {
    static final int IDS = 100;

    private final OrderDesk desk;

    Shop(OrderDesk desk) {
        this.desk = desk;
    }

    @Override
    public int run(String... args) throws InterruptedException {
        StringBuilder ids = new StringBuilder("IDs");
        for (int i = 0; i < IDS; i++) {
            ids.append(' ').append(desk.newOrderId());
        }
        System.out.println(ids);
        return 0;
    }
}
