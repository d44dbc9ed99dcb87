// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.Optional;
import java.util.UUID;

/** A member's services for the operations that run on it. Partition operations call them on the partition's thread. */
interface MemberServices {
    /** The name under which Hazelcast finds the service for operations. */
    String NAME = "snowcast:service";

    Containers containers();

    GrantBounds bounds();

    /** Returns the answer to another member's {@link RequestType#PEER} request. */
    Peer answer(Optional<UUID> formerUuid);

    OwnerCheck ownerCheck();

    /** Passes an event to this member's {@code Snowcast} and to its clients. Does not block. */
    void happened(ClusterEvent event);
}
