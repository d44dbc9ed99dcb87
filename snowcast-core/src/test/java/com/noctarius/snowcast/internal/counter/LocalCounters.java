// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import org.jspecify.annotations.Nullable;

/** Real counters without a cluster. Thread-safe. */
public final class LocalCounters implements CounterCoordinator {
    private final CounterTable table = new CounterTable();
    private long nowMillis = 1_700_000_000_000L;

    @Override
    public synchronized @Nullable Reservation reserve(ReserveRequest request) {
        BlockCounter counter = table.counter(request.name());
        Reservation reservation = counter.reserve(request, nowMillis++);
        table.put(request.name(), counter);
        return reservation;
    }

    @Override
    public synchronized long giveBack(GiveBackRequest request) {
        return table.counter(request.name()).giveBack(request);
    }

    @Override
    public synchronized void destroy(String name, long incarnation) {
        table.counter(name).destroy(incarnation);
    }
}
