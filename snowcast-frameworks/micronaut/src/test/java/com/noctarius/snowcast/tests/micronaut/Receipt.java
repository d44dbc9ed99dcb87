// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import com.noctarius.snowcast.persistence.SnowcastSequence;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Receipt {
    @Id
    @SnowcastSequence("invoices")
    Integer id;
}
