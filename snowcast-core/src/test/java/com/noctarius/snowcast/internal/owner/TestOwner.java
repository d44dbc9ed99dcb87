// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Owners of tests. */
public final class TestOwner {
    private TestOwner() {}

    /** Returns an owner at a moment of cluster time. */
    public static OwnerContext at(long nowMillis) {
        return new OwnerContext(nowMillis, Long.MAX_VALUE);
    }
}
