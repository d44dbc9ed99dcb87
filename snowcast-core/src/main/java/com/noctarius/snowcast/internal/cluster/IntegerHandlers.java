// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.IntegerPool;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.internal.wire.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What owners do for the requests of integer sequences. */
final class IntegerHandlers {
    private IntegerHandlers() {}

    private static int backupCount(PartitionContainer container, String name) {
        return container.pools().pool(name).backupCount();
    }

    /** Hands out a block, or creates the sequence. */
    static final class Reserve implements Handler<ReserveRequest, Optional<Reservation>> {
        @Override
        public int requiredBackups(ReserveRequest request, PartitionContainer container) {
            return request.definition().backupCount();
        }

        /** A name that is unknown to the last replica that is left would begin anew. */
        @Override
        public boolean isForAllReplicas(ReserveRequest request) {
            return request.incarnation() == 0;
        }

        @Override
        public Optional<Reservation> handle(ReserveRequest request, Changes changes, PartitionOwner owner) {
            IntegerPool pool = changes.container().pools().pool(request.name());
            Reservation reservation = pool.reserve(request, owner.clusterMillis());
            changes.container().pools().put(request.name(), pool);
            changes.add(pool.change(request.holder()));
            return Optional.ofNullable(reservation);
        }
    }

    /** Gives back what is left of a block. */
    static final class GiveBack implements Handler<GiveBackRequest, Long> {
        @Override
        public int requiredBackups(GiveBackRequest request, PartitionContainer container) {
            return backupCount(container, request.name());
        }

        /** A pool that does not hear of it is higher than it need be. A member that leaves is not to wait for backups. */
        @Override
        public boolean mayBeLost() {
            return true;
        }

        @Override
        public Long handle(GiveBackRequest request, Changes changes, PartitionOwner owner) {
            IntegerPool pool = changes.container().pools().pool(request.name());
            long version = pool.giveBack(request);
            if (version != GiveBackRequest.REFUSED) {
                changes.add(pool.snapshotFor(0));
            }
            return version;
        }
    }

    /** Destroys a life of an integer sequence. */
    static final class Destroy implements Handler<Life, Boolean> {
        @Override
        public int requiredBackups(Life life, PartitionContainer container) {
            return backupCount(container, life.name());
        }

        @Override
        public boolean isForAllReplicas(Life life) {
            return true;
        }

        @Override
        public Boolean handle(Life life, Changes changes, PartitionOwner owner) {
            IntegerPool pool = changes.container().pools().pool(life.name());
            boolean destroyed = pool.destroy(life.incarnation());
            if (destroyed) {
                changes.container().pools().put(life.name(), pool);
                changes.add(pool.snapshotFor(0));
            }
            return destroyed;
        }
    }

    /** Unites pools of the losing side of a split network with those of this partition. */
    static final class Merge implements Handler<List<PoolSnapshot>, List<PossibleDuplicateIntegers>> {
        @Override
        public int requiredBackups(List<PoolSnapshot> losing, PartitionContainer container) {
            int most = 0;
            for (PoolSnapshot snapshot : losing) {
                most = Math.max(
                        most, Math.max(snapshot.lifecycle().backupCount(), backupCount(container, snapshot.name())));
            }
            return most;
        }

        /** A winning side that stands still learns by it what the other one handed out. */
        @Override
        public boolean grantsNothing() {
            return true;
        }

        @Override
        public boolean isForAllReplicas(List<PoolSnapshot> losing) {
            return true;
        }

        @Override
        public List<PossibleDuplicateIntegers> handle(
                List<PoolSnapshot> losing, Changes changes, PartitionOwner owner) {
            List<PossibleDuplicateIntegers> found = new ArrayList<>();
            for (PoolSnapshot snapshot : losing) {
                IntegerPool pool = changes.container().pools().pool(snapshot.name());
                found.addAll(pool.merge(snapshot, PartitionContainer.newEpoch(), owner.clusterMillis()));
                changes.container().pools().put(snapshot.name(), pool);
                changes.add(pool.snapshotFor(0));
            }
            return found;
        }
    }
}
