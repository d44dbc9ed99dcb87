// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls that still run although their callers wait no more: each holds a thread. While some have begun to hang
 * lately, further calls fail at once. Later they are given up: a driver without time-outs may never end them, and the
 * database may serve again. Thread-safe.
 */
final class HangingCalls {
    private static final System.Logger LOGGER = System.getLogger(HangingCalls.class.getName());

    /** How many calls may hang beyond their time-out before further calls fail at once. */
    private static final int MAX = 4;

    /** After so many time-outs a call is given up. */
    private static final int TIMEOUTS = 4;

    private final Duration callTimeout;
    private final Map<Object, Long> hangSinceNanos = new ConcurrentHashMap<>();
    private final AtomicInteger givenUp = new AtomicInteger();

    HangingCalls(Duration callTimeout) {
        this.callTimeout = callTimeout;
    }

    /** Fails if so many calls hang that the next one would, too. */
    void requireFew() throws CallTimeoutException {
        long now = System.nanoTime();
        hangSinceNanos.forEach((call, since) -> {
            if (now - since > TIMEOUTS * callTimeout.toNanos() && hangSinceNanos.remove(call) != null) {
                int all = givenUp.incrementAndGet();
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "a call to the database hangs, and is given up; {0} of them hold a thread each, until the"
                                + " driver ends them: set its time-outs",
                        all);
            }
        });
        if (hangSinceNanos.size() >= MAX) {
            throw new CallTimeoutException(hangSinceNanos.size() + " calls hang for more than " + callTimeout + ", and "
                    + givenUp.get() + " others were given up; time-outs of the driver would end them");
        }
    }

    void began(Object call) {
        hangSinceNanos.put(call, System.nanoTime());
    }

    void ended(Object call) {
        if (hangSinceNanos.remove(call) == null) {
            givenUp.decrementAndGet();
        }
    }
}
