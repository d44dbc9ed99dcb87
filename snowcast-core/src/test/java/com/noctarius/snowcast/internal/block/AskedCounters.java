// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.block;

import com.noctarius.snowcast.internal.counter.CounterCoordinator;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import org.jspecify.annotations.Nullable;

/** Counters that do something before they answer. */
record AskedCounters(CounterCoordinator counters, Runnable beforeAnswer) implements CounterCoordinator {
    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        Reservation reservation = counters.reserve(request);
        beforeAnswer.run();
        return reservation;
    }

    @Override
    public long giveBack(GiveBackRequest request) {
        return counters.giveBack(request);
    }

    @Override
    public void destroy(String name, long incarnation) {
        counters.destroy(name, incarnation);
    }
}
