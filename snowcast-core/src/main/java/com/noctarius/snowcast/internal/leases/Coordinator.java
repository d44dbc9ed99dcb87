// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Grants node IDs for the time of a lease, which holders extend: a cluster, or a database. Thread-safe. */
public interface Coordinator extends GrantSource {
    /** As {@link #detach}; waits at most about the given time. */
    default void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        detach(requests);
    }

    /** Asks for extensions. The replies are in the order of the requests; null where there is none. */
    CompletionStage<List<@Nullable ExtendReply>> extend(List<ExtendRequest> requests);

    /** Counts the node IDs that are in use of names; does not block. The answer lacks names that are not known. */
    CompletionStage<Map<String, NodeIdCounts>> count(Map<String, Definition> names);

    /** Destroys an incarnation and seals its holders; blocks. Has no effect if it is gone. */
    void destroy(String name, long incarnation);

    /** For tests: called with what holders were granted, and when they end its use. Thread-safe; must not block. */
    interface GrantObserver {
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
        default void ended(UUID holder, DetachRequest request) {}
    }
}
