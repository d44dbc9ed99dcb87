// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.jpa;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Delivery {
    @Id
    @SnowcastId("deliveries")
    long id;

    int position;

    Delivery() {}

    Delivery(int position) {
        this.position = position;
    }
}
