// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Accepts orders. It returns the ID as text, because a JavaScript number cannot hold 64 bits. */
@RestController
class OrderDesk {
    private final PurchaseOrders orders;

    OrderDesk(PurchaseOrders orders) {
        this.orders = orders;
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    String order(@RequestBody String item) {
        return Long.toString(orders.save(new PurchaseOrder(item)).id());
    }
}
