// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.shop;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An order. The sequencer generates its ID when JPA saves it, before the row is inserted. */
@Entity
class PurchaseOrder {
    @Id
    @SnowcastId("orders")
    private long id;

    private String item = "";

    /** Called by JPA. */
    protected PurchaseOrder() {}

    PurchaseOrder(String item) {
        this.item = item;
    }

    long id() {
        return id;
    }

    String item() {
        return item;
    }
}
