// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the hanging calls to a shard, which still run although their callers have timed out. Each hanging call holds a
 * thread, so further calls fail at once while {@link #MAX} calls hang. A driver without time-outs may never end a call,
 * even when the database serves again. Therefore a call no longer counts when it has hung for {@link #TIMEOUTS} call
 * time-outs. Thread-safe.
 */
final class HangingCalls {
    private static final System.Logger LOGGER = System.getLogger(HangingCalls.class.getName());

    private static final int MAX = 4;

    private static final int TIMEOUTS = 4;

    private static final String TIME_OUTS = "set the pool's connection time-out, and the driver's time-outs for"
            + " connecting and reading, to some seconds";

    private final Duration callTimeout;
    private final Map<Object, Hang> hanging = new ConcurrentHashMap<>();
    private final AtomicInteger givenUp = new AtomicInteger();

    /**
     * @param isConnected whether the call had a connection when its caller timed out. If it had one, the call waits for
     *     the database, not for a connection
     */
    private record Hang(long sinceNanos, boolean isConnected) {}

    HangingCalls(Duration callTimeout) {
        this.callTimeout = callTimeout;
    }

    void requireFew() throws CallTimeoutException {
        long now = System.nanoTime();
        hanging.forEach((call, hang) -> {
            if (now - hang.sinceNanos() > TIMEOUTS * callTimeout.toNanos() && hanging.remove(call) != null) {
                // Log no further warning until all calls that were given up have ended.
                if (givenUp.getAndIncrement() == 0) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "a call to the database does not end, and is given up. It holds a thread until the pool or"
                                    + " the driver ends it: " + TIME_OUTS);
                }
            }
        });
        if (hanging.size() >= MAX) {
            long connected = hanging.values().stream().filter(Hang::isConnected).count();
            throw new CallTimeoutException(hanging.size() + " calls to the database have not ended after "
                    + callTimeout.toMillis() + " ms: " + connected + " wait for the database, "
                    + (hanging.size() - connected) + " for a connection. Of earlier calls " + givenUp.get()
                    + " have not ended yet. The pool or the driver ends them: " + TIME_OUTS);
        }
    }

    void began(Object call, boolean isConnected) {
        hanging.put(call, new Hang(System.nanoTime(), isConnected));
    }

    void ended(Object call) {
        if (hanging.remove(call) == null) {
            givenUp.decrementAndGet();
        }
    }
}
