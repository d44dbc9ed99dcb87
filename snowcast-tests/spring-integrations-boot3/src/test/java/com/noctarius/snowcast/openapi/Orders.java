// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.openapi;

import com.noctarius.snowcast.jackson.JsonSnowcastId;
import com.noctarius.snowcast.jackson.JsonSnowcastId.Form;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application that sends IDs to clients, and whose API springdoc describes. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Orders.Controller.class)
class Orders {
    /** JavaScript's numbers cannot represent these IDs: JavaScript would round each ID to another number. */
    static final Order ORDER = new Order(
            764_796_226_110_234_663L,
            List.of(764_796_226_110_234_661L, -764_796_226_110_234_663L),
            new CustomerId(764_796_226_110_234_665L),
            Map.of(764_796_226_110_234_667L, "blue"),
            9_007_199_254_740_991L);

    @JsonSnowcastId(value = Form.BASE32, prefix = "cus_")
    record CustomerId(long value) {}

    record Order(
            @JsonSnowcastId long id,
            @JsonSnowcastId List<Long> items,
            CustomerId customer,
            @JsonSnowcastId Map<Long, String> colours,
            long cents) {}

    @RestController
    static class Controller {
        @GetMapping("/orders/{id}")
        Order order(@PathVariable("id") @JsonSnowcastId(value = Form.BASE62, prefix = "ord_") long id) {
            return new Order(id, ORDER.items, ORDER.customer, ORDER.colours, ORDER.cents);
        }

        @GetMapping("/customers/{id}/orders")
        List<Order> orders(@PathVariable("id") CustomerId customer, @RequestParam("after") @JsonSnowcastId Long after) {
            return List.of(new Order(after, List.of(), customer, Map.of(), 0));
        }

        @PostMapping("/orders")
        String isTheSame(@RequestBody Order order) {
            return ORDER.equals(order) ? "same" : "other: " + order;
        }
    }
}
