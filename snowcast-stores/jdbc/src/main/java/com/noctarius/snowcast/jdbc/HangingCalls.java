// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls that still run although their callers no longer wait: each holds a thread. While too many have started to
 * hang recently, further calls fail at once. Later this class gives hanging calls up: a driver without time-outs may
 * never end them, and the database may serve again. Thread-safe.
 */
final class HangingCalls {
    private static final System.Logger LOGGER = System.getLogger(HangingCalls.class.getName());

    /** How many calls may hang beyond their time-out before further calls fail at once. */
    private static final int MAX = 4;

    /** A call is given up after this many time-outs. */
    private static final int TIMEOUTS = 4;

    private static final String TIME_OUTS = "set the pool's connection time-out, and the driver's time-outs for"
            + " connecting and reading, to some seconds";

    private final Duration callTimeout;
    private final Map<Object, Long> hangSinceNanos = new ConcurrentHashMap<>();
    private final AtomicInteger givenUp = new AtomicInteger();

    HangingCalls(Duration callTimeout) {
        this.callTimeout = callTimeout;
    }

    /** Fails if so many calls hang that the next one probably would, too. */
    void requireFew() throws CallTimeoutException {
        long now = System.nanoTime();
        hangSinceNanos.forEach((call, since) -> {
            if (now - since > TIMEOUTS * callTimeout.toNanos() && hangSinceNanos.remove(call) != null) {
                // Once for an outage.
                if (givenUp.getAndIncrement() == 0) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "a call to the database does not end, and is given up. It holds a thread until the pool or"
                                    + " the driver ends it: " + TIME_OUTS);
                }
            }
        });
        if (hangSinceNanos.size() >= MAX) {
            throw new CallTimeoutException(hangSinceNanos.size() + " calls to the database have not ended after "
                    + callTimeout.toMillis() + " ms, and " + givenUp.get()
                    + " of before have not ended yet. The pool or the driver ends them: " + TIME_OUTS);
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
