// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.holder.Coordinator.BlockObserver;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The requests of integer sequences to the cluster. Thread-safe. All but {@link #reserveAsync} block. */
interface PoolCoordinator {
    /** Asks for a block. Returns null if the holder's incarnation was destroyed. */
    @Nullable
    Reservation reserve(ReserveRequest request);

    /** As {@link #reserve}, but without a retry or a wait. Fails also if a retry might help; may throw that, too. */
    default CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("reserve() serves"));
    }

    /** Gives a block back. Returns the pool's new state, or {@link GiveBackRequest#REFUSED}. */
    long giveBack(GiveBackRequest request);

    /** Destroys an incarnation and closes its instances. Has no effect if it is gone. */
    void destroyIntegers(String name, long incarnation);

    /** Draws the ID of a new holder of blocks. */
    default UUID newHolder() {
        return UUID.randomUUID();
    }

    /** Returns what receives the blocks that arrive, in tests. */
    default BlockObserver blockObserver() {
        return BlockObserver.NONE;
    }
}
