// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.Forms;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation that one member sends to another: Hazelcast's own data, then the wire version and the content. The
 * operations that execute no request of a holder are in this file; the other one is {@link RequestOperation}.
 */
abstract class SnowcastOperation<T> extends Operation implements IdentifiedDataSerializable {
    private final int classId;
    private final Form<T> form;
    private @Nullable T content;

    /** Makes an operation; {@code content} is null if Hazelcast is about to read the content. */
    SnowcastOperation(int classId, Form<T> form, @Nullable T content) {
        this.classId = classId;
        this.form = form;
        this.content = content;
    }

    final T content() {
        return Objects.requireNonNull(content);
    }

    final Services services() {
        return getService();
    }

    @Override
    public final String getServiceName() {
        return Services.NAME;
    }

    @Override
    public final int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public final int getClassId() {
        return classId;
    }

    @Override
    protected final void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeByte(WireInput.VERSION);
        form.write(out, content());
    }

    @Override
    protected final void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        content = WireInput.read(in, getClass().getSimpleName(), input -> input.value(form));
    }

    /**
     * A member's services for the operations that run on it. Partition operations call them on the partition's thread.
     */
    interface Services {
        /** The name under which Hazelcast finds the service. */
        String NAME = "snowcast:service";

        Containers containers();

        GrantBounds bounds();

        OwnerCheck ownerCheck();

        /** Returns the answer to another member's {@link RequestType#PEER} request. */
        Peer answer(UUID asking, Optional<UUID> formerUuid);

        /** Passes an event to this member's {@code Snowcast} and to its clients. Does not block. */
        void happened(ClusterEvent event);
    }

    /** Sends the changes of a request to a backup. */
    static final class ChangeBackupOperation extends SnowcastOperation<ContainerSnapshot> implements BackupOperation {
        ChangeBackupOperation(@Nullable ContainerSnapshot changes) {
            super(ClassIds.BACKUP, Forms.CONTAINER, changes);
        }

        /** Joins only the changes that this replica needs, because all replicas receive the same operation. */
        @Override
        public void run() {
            Member sender = getNodeEngine().getClusterService().getMember(getCallerAddress());
            if (sender == null) {
                throw new RetryableHazelcastException("sent by no member of this cluster: " + getCallerAddress());
            }
            services()
                    .containers()
                    .join(getPartitionId(), sender.getUuid(), content().forReplica(getReplicaIndex()));
        }
    }

    /** Sends a replica all data that it needs of a partition, for a migration or because the replica is out of date. */
    static final class ReplicationOperation extends SnowcastOperation<ContainerSnapshot>
            implements PartitionAwareOperation {
        ReplicationOperation(@Nullable ContainerSnapshot snapshot) {
            super(ClassIds.REPLICATION, Forms.CONTAINER, snapshot);
        }

        @Override
        public void run() {
            services()
                    .containers()
                    .join(getPartitionId(), getCallerUuid(), content().forReplica(getReplicaIndex()))
                    .setCopied(true);
        }
    }

    /** Asks another member for its vote, settings, high-water mark and clocks: {@link RequestType#PEER}. */
    static final class PeerOperation extends SnowcastOperation<Optional<UUID>> implements AllowedDuringPassiveState {
        private @Nullable Object response;

        PeerOperation(Optional<UUID> formerUuid) {
            super(ClassIds.PEER, RequestType.PEER.request(), formerUuid);
        }

        @Override
        public void run() {
            response = new Reply(RequestType.PEER, services().answer(getCallerUuid(), content()));
        }

        @Override
        public @Nullable Object getResponse() {
            return response;
        }
    }

    /** Sends an event to a member, which passes it to its own {@code Snowcast} and to its clients. */
    static final class EventOperation extends SnowcastOperation<ClusterEvent> implements AllowedDuringPassiveState {
        EventOperation(@Nullable ClusterEvent event) {
            super(ClassIds.EVENT, ClusterEvent.FORM, event);
        }

        @Override
        public void run() {
            services().happened(content());
        }
    }
}
