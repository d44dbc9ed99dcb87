// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface DeliveryRepository extends JpaRepository<Delivery, Long> {}
