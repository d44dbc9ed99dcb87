// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.List;

/** Stores what has IDs of snowcast. */
@ApplicationScoped
class Register {
    private final EntityManager entities;

    Register(EntityManager entities) {
        this.entities = entities;
    }

    @Transactional
    List<Number> store() {
        Purchase purchase = new Purchase();
        Invoice invoice = new Invoice();
        entities.persist(purchase);
        entities.persist(invoice);
        return List.of(purchase.id, invoice.id);
    }
}
