// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Of Hibernate, with an ID, as {@link Receipt} with an integer. */
@Entity
class Bill {
    @Id
    @SnowcastId("orders")
    Long id;

    @Entity
    static class Receipt {
        @Id
        @SnowcastSequence("invoices")
        Integer id;
    }
}
