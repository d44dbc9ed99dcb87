// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ReplicaForms;
import com.noctarius.snowcast.internal.wire.WireVersion;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives a replica all that is known of a partition, when it migrates or was found out of date. */
final class ReplicationOperation extends SnowcastOperation<ContainerSnapshot> implements PartitionAwareOperation {
    /** So many copies of so many tables are enough for the just-in-time compiler to compile what is done for each table. */
    private static final int REHEARSALS = 30;

    ReplicationOperation(int wireVersion, @Nullable ContainerSnapshot snapshot) {
        super(ClassIds.REPLICATION, ReplicaForms.CONTAINER, wireVersion, snapshot);
    }

    @Override
    public void run() {
        Containers containers = services().containers();
        containers.join(getPartitionId(), getCallerUuid(), content().forReplica(getReplicaIndex()));
        PartitionContainer copy = containers.backup(getPartitionId());
        copy.setCopied(true);
    }

    /**
     * Grants, extends, writes, reads and joins what is not needed. Else the first copies and requests that come to a
     * new member would keep their partitions' threads busy for tens of milliseconds, to load the code and then to
     * interpret it.
     */
    static void rehearse(SerializationService serialization, TableRules rules) {
        Definition definition = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
        PartitionContainer sample = PartitionContainer.cold();
        OwnerContext owner = new OwnerContext(new UUID(0, 0), List.of(), 1, 1);
        for (int i = 0; i < REHEARSALS * REHEARSALS; i++) {
            String name = Integer.toString(i % REHEARSALS);
            NodeTable table = new NodeTable(name, i);
            AttachRequest request = new AttachRequest(name, definition, 0, new UUID(i, i), 1, 1, 0, -1);
            Grant grant = Objects.requireNonNull(
                    table.attach(request, owner, rules).answer().grant());
            ExtendRequest extension = new ExtendRequest(
                    name, definition, grant.incarnation(), grant.logicalNodeId(), grant.token(), 1, 1, 0);
            table.extend(extension, owner, rules);
            sample.put(name, table);
        }
        for (int i = 0; i < REHEARSALS; i++) {
            Data written = serialization.toData(new ReplicationOperation(WireVersion.NEWEST, sample.snapshotFor(1)));
            ReplicationOperation copy = serialization.toObject(written);
            PartitionContainer.cold().join(copy.content().forReplica(1), null, false);
        }
    }
}
