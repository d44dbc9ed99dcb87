// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.table.TableRules;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operations know of the member that they run on. Those of partitions call it on their partition's thread. */
interface PartitionOwner {
    /** The name of the service that operations are for. */
    String SERVICE_NAME = "snowcast:service";

    /** Returns the container of a partition whose owner this member is. */
    PartitionContainer ownedContainer(int partitionId);

    /** Returns the container for this member's copy of a partition. */
    PartitionContainer backupContainer(int partitionId);

    /** Fails an operation if this member is about to forget what it owns. */
    void requireNotLeaving();

    /** Fails an operation, before it changes anything, if fewer live backups than it wants would hear of it. */
    void requireBackups(int partitionId, int backupCount);

    /** Fails an operation if this member may have been removed from its cluster. */
    void requireConfirmed();

    /** Fails an operation if it is not known yet what was granted before the cluster was started. */
    void requireBegun(PartitionContainer container);

    /** Ends the wait of a container after a start of the whole cluster, if it is known where to begin. */
    void beginIfKnown(PartitionContainer container);

    /** Fails an operation that grants before the durable floor was written for the first time. */
    void requireFloorWritten();

    /** Returns the rules for grants, with the durable floor as it is now. */
    TableRules rules();

    /** Returns cluster time. */
    long clusterMillis();

    /** Answers a member that has a list of members of that version. */
    Peer describeTo(@Nullable UUID caller, int memberListVersion);

    /** Tells this member's instances and clients of an event. Does not block. */
    void happened(ClusterEvent event);
}
