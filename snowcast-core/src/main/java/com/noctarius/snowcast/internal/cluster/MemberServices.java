// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.Optional;
import java.util.UUID;

/** The member's services for operations that run on it. Partition operations call them on their partition's thread. */
interface MemberServices {
    /** The name of the service that operations are for. */
    String SERVICE_NAME = "snowcast:service";

    Containers containers();

    GrantBounds bounds();

    /** Answers another member, as {@link RequestType#PEER} says. */
    Peer answer(Optional<UUID> formerUuid);

    /** Returns the check whether this member may carry out a request as the owner of a partition. */
    OwnerCheck ownerCheck();

    /** Sends an event to this member's instances and clients. Does not block. */
    void happened(ClusterEvent event);
}
