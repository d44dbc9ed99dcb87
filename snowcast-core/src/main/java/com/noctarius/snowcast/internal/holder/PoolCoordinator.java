// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The requests of integer sequences to the cluster. Thread-safe. {@link #reserveAsync} does not block, the others do. */
public interface PoolCoordinator {
    /** Returns where a sequence gets its blocks from, if not from this; by default the store of its configuration. */
    default @Nullable BlockStore storeOf(IntegerSequenceConfig config) {
        return config.store();
    }

    /** Asks for a block. Returns null if the holder's incarnation was destroyed. */
    @Nullable
    Reservation reserve(ReserveRequest request);

    /** As {@link #reserve}, but without a retry and without a wait. Fails also if a retry might help. */
    default CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("reserve() serves"));
    }

    /** Gives a block back. Returns the pool's new state, or {@link GiveBackRequest#REFUSED}. */
    long giveBack(GiveBackRequest request);

    /** Destroys an incarnation and closes its instances. Has no effect if it is gone. */
    void destroyIntegers(String name, long incarnation);

    /** Draws the ID of a new holder of blocks. */
    default UUID newPoolHolder() {
        return UUID.randomUUID();
    }

    /** Returns what receives the blocks that arrive, in tests. */
    default BlockObserver blockObserver() {
        return BlockObserver.NONE;
    }

    /** A hook for tests: receives the blocks that holders reserve and give back. Thread-safe; must not block. */
    interface BlockObserver {
        /** The key of the observer in the user context of a member's or client's configuration. */
        String KEY = "snowcast:blocks";

        BlockObserver NONE = new BlockObserver() {};

        static BlockObserver in(Map<String, Object> userContext) {
            return userContext.get(KEY) instanceof BlockObserver observer ? observer : NONE;
        }

        /** A holder has received a block. It uses the block only after this has returned. */
        default void reserved(ReserveRequest request, long incarnation, Block block) {}

        /** A holder uses the rest of a block no more, and has not yet sent it to the cluster. */
        default void givenBack(UUID holder, GiveBackRequest rest) {}
    }
}
