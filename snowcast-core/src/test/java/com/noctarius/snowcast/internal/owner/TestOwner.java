// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Owners of tests. */
public final class TestOwner {
    private TestOwner() {}

    /** Returns an owner at a moment of cluster time. */
    public static DecisionTime at(long nowMillis) {
        return new DecisionTime(nowMillis, Long.MAX_VALUE);
    }
}
