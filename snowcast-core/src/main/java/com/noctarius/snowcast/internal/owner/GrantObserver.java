// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Map;
import java.util.UUID;

/** For tests: called with what holders were granted, and when they end its use. Thread-safe; must not block. */
public interface GrantObserver {
    /** Where tests put one: under this key into the user context of a member's or client's configuration. */
    String KEY = "snowcast:grants";

    GrantObserver NONE = new GrantObserver() {};

    static GrantObserver in(Map<String, Object> userContext) {
        return userContext.get(KEY) instanceof GrantObserver observer ? observer : NONE;
    }

    /** A holder has received a grant, and may use it as soon as this returns. */
    default void granted(AttachRequest request, Grant grant) {}

    /** A holder has received a higher ceiling, and uses it as soon as this returns, unless the grant has ended. */
    default void extended(ExtendRequest request, long ceiling) {}

    /** A holder has ended the use of a grant, and the cluster does not know it yet. May be called twice. */
    default void ended(UUID holder, DetachRequest unused) {}
}
