// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.jpa;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Invoice {
    @Id
    @SnowcastId("invoices")
    long id;

    int position;

    Invoice() {}

    Invoice(int position) {
        this.position = position;
    }
}
