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

/** The source of leases that holders renew: a cluster or a database. Thread-safe. */
public interface Coordinator extends GrantSource {
    /** Like {@link #detach}, but waits at most about the given time. */
    default void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        detach(requests);
    }

    /** Requests renewals. The replies are in the order of the requests; null for a request without a reply. */
    CompletionStage<List<@Nullable RenewReply>> renew(List<RenewRequest> requests);

    /** Counts the node IDs in use by name, and omits names that do not exist. Does not block. */
    CompletionStage<Map<String, NodeIdCounts>> count(Map<String, Definition> names);

    /** Destroys an incarnation and seals its holders; blocks. Has no effect if the incarnation no longer exists. */
    void destroy(String name, long incarnation);

    /** Observes the grants of holders in tests, from their beginning to their end. Thread-safe; must not block. */
    interface GrantObserver {
        /** The key of a test's observer in the user context of a member's or client's configuration. */
        String KEY = "snowcast:grants";

        GrantObserver NONE = new GrantObserver() {};

        static GrantObserver in(Map<String, Object> userContext) {
            return userContext.get(KEY) instanceof GrantObserver observer ? observer : NONE;
        }

        /** Called when a holder has received a grant, which it may use when this method has returned. */
        default void granted(AttachRequest request, Grant grant) {}

        /** Called before a holder uses a higher ceiling, which it has received; not called if the grant has ended. */
        default void renewed(RenewRequest request, long ceiling) {}

        /** Called after a holder has sealed a grant, and before it releases the grant. May be called twice. */
        default void ended(UUID holder, DetachRequest request) {}
    }
}
