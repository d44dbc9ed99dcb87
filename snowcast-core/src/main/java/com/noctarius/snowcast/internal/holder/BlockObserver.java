// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import java.util.Map;
import java.util.UUID;

/** A hook for tests: receives the blocks that holders reserve and give back. Thread-safe; must not block. */
public interface BlockObserver {
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
