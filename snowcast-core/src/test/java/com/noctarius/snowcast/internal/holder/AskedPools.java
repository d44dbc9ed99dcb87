// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import org.jspecify.annotations.Nullable;

/** Counters that do something before they answer. */
record AskedPools(PoolCoordinator pools, Runnable beforeAnswer) implements PoolCoordinator {
    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        Reservation reservation = pools.reserve(request);
        beforeAnswer.run();
        return reservation;
    }

    @Override
    public long giveBack(GiveBackRequest request) {
        return pools.giveBack(request);
    }

    @Override
    public void destroyIntegers(String name, long incarnation) {
        pools.destroyIntegers(name, incarnation);
    }
}
