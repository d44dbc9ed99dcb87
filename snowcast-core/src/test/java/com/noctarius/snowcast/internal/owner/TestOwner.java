// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import java.util.UUID;

/** Owners of tests that are not about who acknowledges. */
public final class TestOwner {
    private static final UUID MEMBER = new UUID(0, 1);

    private TestOwner() {}

    /** Returns an owner without backups at a moment of cluster time. */
    public static OwnerContext at(long nowMillis) {
        return new OwnerContext(MEMBER, List.of(), nowMillis, Long.MAX_VALUE);
    }
}
