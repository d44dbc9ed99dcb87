// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.ClusterEvent;

/** What operations use of the member that they run on. Those of partitions call it on their partition's thread. */
interface MemberServices {
    /** The name of the service that operations are for. */
    String SERVICE_NAME = "snowcast:service";

    Containers containers();

    OwnerClock ownerClock();

    OtherMembers otherMembers();

    /** Fails an operation if this member is about to forget what it owns. */
    void requireNotLeaving();

    /** Tells this member's instances and clients of an event. Does not block. */
    void happened(ClusterEvent event);
}
