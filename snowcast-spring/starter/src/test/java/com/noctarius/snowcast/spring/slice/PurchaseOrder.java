// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class PurchaseOrder {
    @Id
    @SnowcastId("orders")
    long id;

    String city = "";

    PurchaseOrder() {}

    PurchaseOrder(String city) {
        this.city = city;
    }
}
