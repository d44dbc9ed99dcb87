// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.IntegerPool;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.owner.TestOwner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Real pools without a cluster. Thread-safe. */
public final class LocalPools implements PoolCoordinator {
    private final PartitionContainer table = new PartitionContainer();
    private long nowMillis = 1_700_000_000_000L;

    @Override
    public synchronized @Nullable Reservation reserve(ReserveRequest request) {
        IntegerPool pool = table.pool(request.name());
        Optional<Reservation> reservation =
                pool.reserve(request, TestOwner.at(nowMillis++)).answer();
        table.put(request.name(), pool);
        return reservation.orElse(null);
    }

    @Override
    public synchronized long giveBack(GiveBackRequest request) {
        return table.pool(request.name()).giveBack(request).answer();
    }

    @Override
    public synchronized void destroyIntegers(String name, long incarnation) {
        table.pool(name).destroy(incarnation, TestOwner.at(nowMillis));
    }
}
