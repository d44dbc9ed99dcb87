// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import com.noctarius.snowcast.persistence.SnowcastId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table
record Parcel(@Id @SnowcastId("parcels") long id, String city) {}
