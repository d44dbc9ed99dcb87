// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.store.Block;
import java.util.Map;
import java.util.UUID;

/** For tests: is told which integers holders were given, and give back. Thread-safe; must not block. */
public interface BlockObserver {
    /** Where tests put one: under this key into the user context of a member's or client's configuration. */
    String KEY = "snowcast:blocks";

    BlockObserver NONE = new BlockObserver() {};

    static BlockObserver in(Map<String, Object> userContext) {
        return userContext.get(KEY) instanceof BlockObserver observer ? observer : NONE;
    }

    /** A holder has received a block, and may use it as soon as this returns. */
    default void reserved(ReserveRequest request, long incarnation, Block block) {}

    /** A holder has ended the use of the rest of a block, and the cluster has not heard of it yet. */
    default void givenBack(UUID holder, GiveBackRequest rest) {}
}
