// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.noctarius.snowcast.jackson.JsonSnowcastId;
import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Purchase {
    @Id
    @SnowcastId("orders")
    @JsonSnowcastId
    public Long id;

    public String article;
}
