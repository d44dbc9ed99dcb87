// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.List;

/** Stores entities whose IDs come from snowcast. */
@ApplicationScoped
class Register {
    private final EntityManager entities;
    private final ObjectMapper json;

    Register(EntityManager entities, ObjectMapper json) {
        this.entities = entities;
        this.json = json;
    }

    @Transactional
    List<Object> store() throws JsonProcessingException {
        Purchase purchase = new Purchase();
        purchase.article = "bread";
        Invoice invoice = new Invoice();
        entities.persist(purchase);
        entities.persist(invoice);
        return List.of(purchase.id, invoice.id, json.writeValueAsString(purchase));
    }
}
