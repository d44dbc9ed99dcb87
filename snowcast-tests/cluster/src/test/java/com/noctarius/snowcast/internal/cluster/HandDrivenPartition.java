// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A simulated partition with the containers and handlers of a member. The test sets its time, owner and losses. */
final class HandDrivenPartition {
    private static final int REPLICAS = 3;

    private final GrantBounds bounds;
    /** The container of each replica, by replica index. Index 0 is the owner. */
    private final List<PartitionContainer> replicas = new ArrayList<>();

    HandDrivenPartition(NodeEngineImpl nodeEngine, TableRules rules, LongSupplier clusterClock) {
        Settings settings = new Settings(rules, rules.leaseMillis(), List.of(), 0, null, 1, null, 5_000, 60_000, 100);
        var logger = nodeEngine.getLogger(getClass());
        OtherMembers otherMembers = new OtherMembers(
                nodeEngine, settings, HighWaterMark.NONE, SystemClock.INSTANCE, logger, PeerOperation::new);
        this.bounds = new GrantBounds(nodeEngine, clusterClock, settings, otherMembers, null, logger);
        goOn(bounds.newContainer());
    }

    /** Lets the owner handle a request, and applies its change to the backups. */
    <Q, A> A ask(RequestType<Q, A> call, Q request) {
        Handler<Q, A> handler = Handlers.of(call);
        PartitionContainer owner = replicas.get(0);
        int backups = handler.backups().applyAsInt(request, owner);
        ReplicatedChanges changes = new ReplicatedChanges(owner, bounds.clusterMillis(), bounds);
        A answer = handler.action().apply(request, changes);
        for (int index = 1; index < REPLICAS && (changes.isForAllReplicas() || index <= backups); index++) {
            replicas.get(index).join(changes.snapshot().forReplica(index), null, false);
        }
        return answer;
    }

    /** Makes a replica the owner, as after a crash. If the replica's data is incomplete, this counts as a loss. */
    void promote(int replicaIndex) {
        PartitionContainer promoted = replicas.get(replicaIndex);
        promoted.becomeOwner(replicaIndex, bounds.clusterMillis(), bounds.waitEndMillis());
        goOn(promoted);
    }

    /** Replaces all replicas, as when the new owner of the partition finds no data of the old one. */
    void lose() {
        goOn(bounds.lostContainer(null));
    }

    private void goOn(PartitionContainer owner) {
        replicas.clear();
        replicas.add(owner);
        for (int index = 1; index < REPLICAS; index++) {
            PartitionContainer backup = new PartitionContainer();
            backup.join(owner.snapshotFor(index), null, false);
            replicas.add(backup);
        }
    }
}
