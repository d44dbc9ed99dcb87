// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.RememberedReply;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.wire.Incarnation;
import java.util.List;
import java.util.Optional;

/** What owners do for the requests of integer sequences; each is described at its {@code RequestType}. */
final class IntegerHandlers {
    private IntegerHandlers() {}

    static Optional<Reservation> reserve(ReserveRequest request, ReplicatedChanges changes) {
        return changes.ofPool(request.name(), (pool, owner) -> pool.reserve(request, owner));
    }

    static Long giveBack(GiveBackRequest request, ReplicatedChanges changes) {
        return changes.ofPool(request.name(), (pool, owner) -> pool.giveBack(request));
    }

    static boolean destroy(Incarnation destroyed, ReplicatedChanges changes) {
        return changes.ofPool(destroyed.name(), (pool, owner) -> pool.destroy(destroyed.number(), owner));
    }

    /** Unites pools of the losing side of a split network with those of this partition. */
    static List<PossibleDuplicateIntegers> merge(
            List<Snapshot<PoolDefinition, RememberedReply>> losing, ReplicatedChanges changes) {
        return losing.stream()
                .map(snapshot -> changes.ofPool(
                        snapshot.name(),
                        (pool, owner) -> pool.merge(snapshot, PartitionContainer.newEpoch(), owner.nowMillis())))
                .flatMap(List::stream)
                .toList();
    }
}
