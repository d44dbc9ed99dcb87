// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import org.springframework.data.jpa.repository.JpaRepository;

interface OrderRepository extends JpaRepository<PurchaseOrder, Long> {}
