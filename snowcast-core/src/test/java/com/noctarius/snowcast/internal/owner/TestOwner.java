// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Creates the time at which an owner decides, for tests. */
public final class TestOwner {
    private TestOwner() {}

    public static DecisionTime at(long nowMillis) {
        return new DecisionTime(nowMillis, Long.MAX_VALUE);
    }
}
