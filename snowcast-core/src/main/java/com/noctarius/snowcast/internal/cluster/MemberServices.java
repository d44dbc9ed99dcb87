// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The member's services for operations that run on it. Partition operations call them on their partition's thread. */
interface MemberServices {
    /** The name of the service that operations are for. */
    String SERVICE_NAME = "snowcast:service";

    Containers containers();

    GrantBounds bounds();

    /** Answers another member, as {@link RequestType#PEER} says. */
    Peer answer(Optional<UUID> merged);

    /**
     * Fails a request that this member must not execute now as the owner of a partition, or whose change too few
     * backups would receive. Returns the members that have to acknowledge it. Each exemption skips one of the checks.
     */
    List<UUID> requireMayAct(int partitionId, int backupCount, Set<Handler.Exemption> exemptions);

    /** Sends an event to this member's instances and clients. Does not block. */
    void happened(ClusterEvent event);
}
