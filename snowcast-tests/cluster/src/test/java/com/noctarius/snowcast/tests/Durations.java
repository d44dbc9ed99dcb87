// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Records the maximum duration of each kind of operation, including failed operations. Thread-safe. */
final class Durations {
    private final Map<String, Duration> longest = new ConcurrentSkipListMap<>();

    interface Operation {
        void run() throws InterruptedException;
    }

    void measure(String kind, Operation operation) throws InterruptedException {
        long start = System.nanoTime();
        try {
            operation.run();
        } finally {
            longest.merge(
                    kind,
                    Duration.ofNanos(System.nanoTime() - start),
                    (before, now) -> before.compareTo(now) < 0 ? now : before);
        }
    }

    void requireAtMost(Duration limit) {
        longest.forEach((kind, duration) -> {
            if (duration.compareTo(limit) > 0) {
                throw new AssertionError(kind + " took " + duration + ", more than " + limit);
            }
        });
    }

    @Override
    public String toString() {
        return longest.toString();
    }
}
