// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.reactive;

import com.noctarius.snowcast.persistence.SnowcastId;
import org.springframework.data.annotation.Id;

record Parcel(@Id @SnowcastId("parcels") long id, String city) {}
