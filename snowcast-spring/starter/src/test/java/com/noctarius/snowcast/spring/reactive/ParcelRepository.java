// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.reactive;

import org.springframework.data.r2dbc.repository.R2dbcRepository;

interface ParcelRepository extends R2dbcRepository<Parcel, Long> {}
