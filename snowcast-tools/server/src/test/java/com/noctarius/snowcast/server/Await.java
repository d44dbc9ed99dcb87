// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.time.Duration;
import java.util.function.BooleanSupplier;

final class Await {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final long PAUSE_MILLIS = 20;

    private Await() {}

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + DEADLINE + ": " + what);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
