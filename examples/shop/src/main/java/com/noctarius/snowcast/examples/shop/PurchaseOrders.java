// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

interface PurchaseOrders extends JpaRepository<PurchaseOrder, Long> {}
