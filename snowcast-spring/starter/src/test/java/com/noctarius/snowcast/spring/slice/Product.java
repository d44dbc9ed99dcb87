// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import com.noctarius.snowcast.persistence.SnowcastSequence;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Product {
    @Id
    @SnowcastSequence("products")
    int id;
}
