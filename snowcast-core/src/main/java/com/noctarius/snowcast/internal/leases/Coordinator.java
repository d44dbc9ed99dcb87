// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Grants leases of node IDs, which holders renew: a cluster or a database. Thread-safe. */
public interface Coordinator extends GrantSource {
    /** As {@link #detach}; waits at most about the given time. */
    default void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        detach(requests);
    }

    /** Requests renewals. The replies are in the order of the requests; null for a request without a reply. */
    CompletionStage<List<@Nullable RenewReply>> renew(List<RenewRequest> requests);

    /** Counts the node IDs in use by name; does not block. The result omits unknown names. */
    CompletionStage<Map<String, NodeIdCounts>> count(Map<String, Definition> names);

    /** Destroys an incarnation and seals its holders; blocks. Has no effect if the incarnation no longer exists. */
    void destroy(String name, long incarnation);

    /** For tests: observes the grants of holders, from their begin to their end. Thread-safe; must not block. */
    interface GrantObserver {
        /** The key of a test's observer in the user context of a member's or client's configuration. */
        String KEY = "snowcast:grants";

        GrantObserver NONE = new GrantObserver() {};

        static GrantObserver in(Map<String, Object> userContext) {
            return userContext.get(KEY) instanceof GrantObserver observer ? observer : NONE;
        }

        /** A holder has received a grant, and may use it as soon as this returns. */
        default void granted(AttachRequest request, Grant grant) {}

        /** A holder has received a higher ceiling, and uses it as soon as this returns, unless the grant has ended. */
        default void renewed(RenewRequest request, long ceiling) {}

        /** A holder has ended its use of a grant, before it reports that to the cluster. May be called twice. */
        default void ended(UUID holder, DetachRequest request) {}
    }
}
