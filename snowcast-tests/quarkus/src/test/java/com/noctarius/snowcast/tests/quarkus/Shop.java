// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Named;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The application under test. Prints IDs, data of its beans, its health check and its metrics, and ends. */
@QuarkusMain
class Shop implements QuarkusApplication {
    static final int IDS = 100;

    private final OrderDesk desk;
    private final SnowcastSequencer orders;
    private final IntegerSequence invoices;
    private final NodeLease workers;
    private final Register register;
    private final SmallRyeHealthReporter health;
    private final MeterRegistry meters;

    Shop(
            OrderDesk desk,
            @Named("orders") SnowcastSequencer orders,
            @Named("invoices") IntegerSequence invoices,
            @Named("workers") NodeLease workers,
            Register register,
            SmallRyeHealthReporter health,
            MeterRegistry meters) {
        this.desk = desk;
        this.orders = orders;
        this.invoices = invoices;
        this.workers = workers;
        this.register = register;
        this.health = health;
        this.meters = meters;
    }

    @Override
    public int run(String... args) throws InterruptedException, JsonProcessingException {
        StringBuilder ids = new StringBuilder("IDs");
        for (int i = 0; i < IDS; i++) {
            ids.append(' ').append(desk.newOrderId());
        }
        System.out.println(ids);
        System.out.println("Named " + orders.getSequencerName() + " " + invoices.name() + " " + workers.maxNodeCount());
        System.out.println("Stored " + register.store());
        System.out.println("Ready " + health.getReadiness().getPayload());
        System.out.println("Meters "
                + meters.getMeters().stream()
                        .map(meter -> meter.getId().getName())
                        .filter(name -> name.startsWith("snowcast."))
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(" ")));
        SimpleMeterRegistry backend = new SimpleMeterRegistry();
        Metrics.addRegistry(backend);
        System.out.println("Issued "
                + backend.get("snowcast.sequencer.issued")
                        .tag("sequencer", "orders")
                        .functionCounter()
                        .count());
        if (List.of(args).contains("failing-meters")) {
            AtomicBoolean hasFailed = new AtomicBoolean();
            Metrics.globalRegistry.config().onMeterRemoved(meter -> {
                if (!hasFailed.getAndSet(true)) {
                    throw new IllegalStateException("a meter cannot be removed");
                }
            });
        }
        return 0;
    }
}
