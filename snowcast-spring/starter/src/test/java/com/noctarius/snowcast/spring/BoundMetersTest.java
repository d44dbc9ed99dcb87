// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundMetersTest {
    /** A binder without subjects. Its second refresh throws an Error. */
    private static final class FailingOnce extends BoundMeters {
        private FailingOnce(AtomicInteger readings) {
            super(
                    () -> {
                        if (readings.incrementAndGet() == 2) {
                            throw new NoClassDefFoundError("for one reading");
                        }
                        return List.of();
                    },
                    Duration.ofMillis(10));
        }
    }

    @Test
    void anErrorDoesNotEndTheRefreshes() throws InterruptedException {
        AtomicInteger readings = new AtomicInteger();
        try (BoundMeters meters = new FailingOnce(readings)) {
            meters.bindTo(new SimpleMeterRegistry());
            Await.until("a reading after the one that fails", () -> readings.get() > 2);
        }
    }
}
