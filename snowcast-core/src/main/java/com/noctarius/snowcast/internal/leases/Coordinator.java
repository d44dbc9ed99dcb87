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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A source of grants that are leased. In a cluster, it sends requests to the owners of partitions, which decide them;
 * in a database, it decides them in transactions. Thread-safe.
 */
public interface Coordinator extends GrantRequests.Source {
    /** Like {@link #detach}, but waits at most about the given time. */
    void detachWithin(Collection<DetachRequest> requests, long atMostMillis);

    /** Requests renewals. The replies are in the order of the requests; null stands for a missing reply. */
    CompletionStage<List<@Nullable RenewReply>> renew(List<RenewRequest> requests);

    /**
     * Counts the node IDs in use for each name, without blocking. A cluster omits a name that does not exist; a
     * database omits all names while it may have lost data.
     *
     * @param definitions the definitions of the names that this process uses; in a database, of all names
     */
    CompletionStage<Map<String, NodeIdCounts>> count(Set<String> names, Map<String, Definition> definitions);

    /**
     * Destroys an incarnation, so that its holders lose their grants; blocks. Returns whether it is destroyed; false if
     * it is not known, for example because its data was lost.
     */
    boolean destroy(String name, long incarnation);

    /** Lets a test observe grants from their beginning to their end. Thread-safe; must not block. */
    interface GrantObserver {
        /** A test puts its observer under this key into the user context of a member or client. */
        String KEY = "snowcast:grants";

        GrantObserver NONE = new GrantObserver() {};

        /** Called when a holder has received a grant. The holder uses the grant only after this method has returned. */
        default void granted(AttachRequest request, Grant grant) {}

        /** Called after a holder has received a higher ceiling, and before it uses the ceiling. */
        default void renewed(RenewRequest request, long ceiling) {}

        /** Called after a holder has sealed a grant, before a release; may be called several times for a grant. */
        default void ended(UUID holder, DetachRequest request) {}
    }
}
