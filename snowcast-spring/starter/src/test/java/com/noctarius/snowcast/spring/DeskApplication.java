// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web application for tests that start it as a separate process; see {@link DeskProcess}. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(DeskApplication.Requests.class)
public class DeskApplication {
    public static void main(String[] args) {
        SpringApplication.run(DeskApplication.class, args);
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        System.out.println("ready at port "
                + event.getApplicationContext().getEnvironment().getProperty("local.server.port"));
    }

    @Bean
    BlockStore store() {
        return new MemoryBlockStore(5_000_001, Integer.MAX_VALUE);
    }

    @RestController
    public static class Requests {
        private final SnowcastSequencer orders;
        private final IntegerSequence products;
        private final CountDownLatch closing = new CountDownLatch(1);

        Requests(SnowcastSequencer orders, IntegerSequence products, HazelcastInstance hazelcast) {
            this.orders = orders;
            this.products = products;
            hazelcast.getLifecycleService().addLifecycleListener(event -> {
                if (event.getState() == LifecycleState.SHUTTING_DOWN) {
                    System.out.println("Hazelcast shuts down, orders is " + orders.getSequencerState());
                }
            });
        }

        @GetMapping("/order")
        String order() throws InterruptedException {
            return orders.next() + " with product " + products.next();
        }

        /** Waits until the application begins to close, then returns a new ID. */
        @GetMapping("/long")
        String longRequest() throws InterruptedException {
            System.out.println("a request is under way");
            closing.await();
            return order();
        }

        @EventListener
        void closing(ContextClosedEvent event) {
            closing.countDown();
        }
    }
}
