// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What operations use of the member that they run on. Those of partitions call it on their partition's thread. */
interface MemberServices {
    /** The name of the service that operations are for. */
    String SERVICE_NAME = "snowcast:service";

    Containers containers();

    GrantBounds bounds();

    /** Answers another member, as {@link RequestType#PEER} says. */
    Peer answer(Optional<UUID> merged);

    /**
     * Fails a request that this member may not carry out now as the owner of a partition, or whose change too few
     * backups would receive. Returns the members that have to acknowledge it. Each exemption leaves a question out.
     */
    List<UUID> requireMayAct(int partitionId, int backupCount, Set<Handler.Exemption> exemptions);

    /** Tells this member's instances and clients of an event. Does not block. */
    void happened(ClusterEvent event);
}
