// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Life;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What owners do for the requests of sequencers. */
final class SequencerHandlers {
    private SequencerHandlers() {}

    /** Attaches a holder to a logical node. */
    static final class Attach implements Handler<AttachRequest, Optional<Grant>> {
        @Override
        public int requiredBackups(AttachRequest request, PartitionContainer container) {
            return request.definition().backupCount();
        }

        @Override
        public boolean isForAllReplicas(AttachRequest request) {
            return true;
        }

        @Override
        public Optional<Grant> handle(AttachRequest request, Changes changes, PartitionOwner owner) {
            owner.requireFloorWritten();
            NodeTable table = changes.container().table(request.name());
            long nowMillis = owner.clusterMillis();
            boolean creates = request.incarnation() == 0 && table.definition() == null;
            if (creates) {
                // Not backed up if it has to wait: a backup that does not hear of it takes IDs as issued that were not.
                table.releaseFormer(request);
            }
            if (creates && table.isSettling(request, nowMillis)) {
                throw new RetryableHazelcastException("sequencer " + request.name() + " is being destroyed");
            }
            Set<Integer> touched = new HashSet<>();
            table.nodeOf(request.holder()).ifPresent(touched::add);
            Grant grant = table.attach(request, nowMillis, owner.rules());
            table.nodeOf(request.holder()).ifPresent(touched::add);
            changes.container().put(request.name(), table);
            changes.add(table.change(touched));
            return Optional.ofNullable(grant);
        }
    }

    /** Extends grants. */
    static final class Extend implements Handler<List<ExtendRequest>, List<ExtendReply>> {
        @Override
        public int requiredBackups(List<ExtendRequest> requests, PartitionContainer container) {
            return requests.stream()
                    .mapToInt(request -> request.definition().backupCount())
                    .max()
                    .orElse(0);
        }

        @Override
        public List<ExtendReply> handle(List<ExtendRequest> requests, Changes changes, PartitionOwner owner) {
            List<ExtendReply> replies = new ArrayList<>();
            for (ExtendRequest request : requests) {
                NodeTable table = changes.container().table(request.name());
                ExtendReply reply = table.extend(request, owner.clusterMillis(), owner.rules());
                if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
                    changes.container().put(request.name(), table);
                    changes.add(table.change(List.of(request.logicalNodeId())));
                }
                replies.add(reply);
            }
            return replies;
        }
    }

    /** Gives logical nodes back. */
    static final class Detach implements Handler<List<DetachRequest>, List<Boolean>> {
        @Override
        public int requiredBackups(List<DetachRequest> requests, PartitionContainer container) {
            return requests.stream()
                    .mapToInt(request -> container.table(request.name()).backupCount())
                    .max()
                    .orElse(0);
        }

        /**
         * A node ID that still counts as attached is free when its lease has run out. A member that leaves detaches while
         * its partitions move away, and the rest of the cluster may be too small for the backups until it is gone.
         */
        @Override
        public boolean mayBeLost() {
            return true;
        }

        @Override
        public List<Boolean> handle(List<DetachRequest> requests, Changes changes, PartitionOwner owner) {
            List<Boolean> released = new ArrayList<>();
            for (DetachRequest request : requests) {
                NodeTable table = changes.container().table(request.name());
                released.add(table.detach(request));
                changes.add(table.change(List.of(request.logicalNodeId())));
            }
            return released;
        }
    }

    /** Destroys a life of a sequencer. */
    static final class Destroy implements Handler<Life, Boolean> {
        @Override
        public int requiredBackups(Life life, PartitionContainer container) {
            return container.table(life.name()).backupCount();
        }

        @Override
        public boolean isForAllReplicas(Life life) {
            return true;
        }

        @Override
        public Boolean handle(Life life, Changes changes, PartitionOwner owner) {
            NodeTable table = changes.container().table(life.name());
            long nowMillis = owner.clusterMillis();
            boolean destroyed = table.destroy(life.incarnation(), nowMillis);
            if (!destroyed && nowMillis < changes.container().recoveringUntilMillis()) {
                // A holder whose extension is still to come could bring the sequencer back.
                throw new RetryableHazelcastException(
                        "sequencer " + life.name() + ": its partition lost its data and does not know it yet");
            }
            if (destroyed) {
                changes.add(table.change(List.of()));
            }
            return destroyed;
        }
    }

    /** Unites tables of the losing side of a split network with those of this partition. */
    static final class Merge implements Handler<List<TableSnapshot>, List<List<Overlap>>> {
        @Override
        public int requiredBackups(List<TableSnapshot> losing, PartitionContainer container) {
            return losing.stream()
                    .mapToInt(snapshot -> NodeTable.of(snapshot).backupCount())
                    .max()
                    .orElse(0);
        }

        /** A winning side that stands still learns by it what the other one granted. */
        @Override
        public boolean grantsNothing() {
            return true;
        }

        @Override
        public boolean isForAllReplicas(List<TableSnapshot> losing) {
            return true;
        }

        @Override
        public List<List<Overlap>> handle(List<TableSnapshot> losing, Changes changes, PartitionOwner owner) {
            List<List<Overlap>> overlaps = new ArrayList<>();
            for (TableSnapshot snapshot : losing) {
                NodeTable table = changes.container().table(snapshot.name());
                overlaps.add(table.merge(snapshot, owner.clusterMillis()));
                changes.container().put(snapshot.name(), table);
                changes.add(table.snapshotFor(0));
            }
            return overlaps;
        }
    }
}
