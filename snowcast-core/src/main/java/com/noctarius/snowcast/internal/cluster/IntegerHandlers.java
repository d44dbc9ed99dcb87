// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.IntegerPool;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.internal.wire.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What owners do for the requests of integer sequences; each is described at its {@code Call}. */
final class IntegerHandlers {
    private IntegerHandlers() {}

    static Optional<Reservation> reserve(ReserveRequest request, Changes changes, FloorKeeper floor) {
        IntegerPool pool = changes.givingPool(request.name());
        pool.requirePossible(request.incarnation(), changes.owner().latestIncarnation());
        Reservation reservation = pool.reserve(request, floor.clusterMillis());
        changes.container.pools().put(request.name(), pool);
        changes.add(pool.change(request.holder()));
        if (request.incarnation() == 0) {
            changes.goToAllReplicas(); // A name that is unknown to the last replica that is left would begin anew.
        }
        return Optional.ofNullable(reservation);
    }

    static Optional<PoolDefinition> find(String name, Changes changes, FloorKeeper floor) {
        return Optional.ofNullable(changes.container.pools().pool(name).definition());
    }

    static Long giveBack(GiveBackRequest request, Changes changes, FloorKeeper floor) {
        IntegerPool pool = changes.container.pools().pool(request.name());
        long version = pool.giveBack(request);
        if (version != GiveBackRequest.REFUSED) {
            changes.add(pool.snapshotFor(0));
        }
        return version;
    }

    static Boolean destroy(Life life, Changes changes, FloorKeeper floor) {
        changes.goToAllReplicas();
        IntegerPool pool = changes.container.pools().pool(life.name());
        pool.requirePossible(life.incarnation(), changes.owner().latestIncarnation());
        boolean destroyed = pool.destroy(life.incarnation());
        if (destroyed) {
            changes.container.pools().put(life.name(), pool);
            changes.add(pool.snapshotFor(0));
        }
        return destroyed;
    }

    /** Unites pools of the losing side of a split network with those of this partition. */
    static List<PossibleDuplicateIntegers> merge(List<PoolSnapshot> losing, Changes changes, FloorKeeper floor) {
        changes.goToAllReplicas();
        List<PossibleDuplicateIntegers> found = new ArrayList<>();
        for (PoolSnapshot snapshot : losing) {
            IntegerPool pool = changes.container.pools().pool(snapshot.name());
            found.addAll(pool.merge(snapshot, PartitionContainer.newEpoch(), floor.clusterMillis()));
            changes.container.pools().put(snapshot.name(), pool);
            changes.add(pool.snapshotFor(0));
        }
        return found;
    }
}
