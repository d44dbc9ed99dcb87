// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Purchase {
    @Id
    @SnowcastId("orders")
    Long id;
}
