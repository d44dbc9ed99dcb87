// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What integer sequences ask of the cluster. Thread-safe; all methods block. */
public interface PoolCoordinator {
    /** Asks for a block. Returns null if the holder's incarnation was destroyed. */
    @Nullable
    Reservation reserve(ReserveRequest request);

    /** As {@link #reserve}, but once, and does not wait: what it fails with is Hazelcast's, or that there is no reply. */
    default CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("reserve() serves"));
    }

    /** Gives a block back. Returns the pool's new state, or {@link GiveBackRequest#REFUSED}. */
    long giveBack(GiveBackRequest request);

    /** Destroys an incarnation and closes its instances. Has no effect if it is gone. */
    void destroyIntegers(String name, long incarnation);

    /** Returns who is told of the blocks that arrive. */
    default BlockObserver blockObserver() {
        return BlockObserver.NONE;
    }
}
