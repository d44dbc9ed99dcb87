// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.GrantObserver;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What sequencers and node leases ask of what grants node IDs: a cluster, or a database. Thread-safe. */
public interface Coordinator {
    /** Asks for a grant; blocks. Returns null if the sequencer's incarnation was destroyed. */
    @Nullable
    Grant attach(AttachRequest request);

    /** Gives node IDs back; blocks. */
    void detach(Collection<DetachRequest> requests);

    /** As {@link #detach}; waits at most about the given time. */
    default void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        detach(requests);
    }

    /** Asks for extensions. The replies are in the order of the requests; null where there is none. */
    CompletionStage<List<@Nullable ExtendReply>> extend(List<ExtendRequest> requests);

    /** Destroys an incarnation and seals its holders; blocks. Has no effect if it is gone. */
    void destroy(String name, long incarnation);

    /** Returns a number that sequencers share whose extensions may go in one batch, such as the partition of the name. */
    int partitionOf(String name);

    /** Draws the ID of a new holder. */
    default UUID newHolder() {
        return UUID.randomUUID();
    }

    /** Returns who is told of the grants that arrive. */
    default GrantObserver observer() {
        return GrantObserver.NONE;
    }
}
