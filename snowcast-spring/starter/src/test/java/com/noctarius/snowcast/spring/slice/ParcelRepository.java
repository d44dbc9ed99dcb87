// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import org.springframework.data.repository.ListCrudRepository;

interface ParcelRepository extends ListCrudRepository<Parcel, Long> {}
