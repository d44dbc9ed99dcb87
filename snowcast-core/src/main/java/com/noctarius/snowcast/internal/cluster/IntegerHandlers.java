// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.internal.wire.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What owners do for the requests of integer sequences. */
final class IntegerHandlers {
    private IntegerHandlers() {}

    private static int backupCount(PartitionContainer container, String name) {
        return container.counters().counter(name).backupCount();
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
            BlockCounter counter = changes.container().counters().counter(request.name());
            Reservation reservation = counter.reserve(request, owner.clusterMillis());
            changes.container().counters().put(request.name(), counter);
            changes.add(counter.change(request.holder()));
            return Optional.ofNullable(reservation);
        }
    }

    /** Gives back what is left of a block. */
    static final class GiveBack implements Handler<GiveBackRequest, Long> {
        @Override
        public int requiredBackups(GiveBackRequest request, PartitionContainer container) {
            return backupCount(container, request.name());
        }

        /** A counter that does not hear of it is higher than it need be. A member that leaves is not to wait for backups. */
        @Override
        public boolean mayBeLost() {
            return true;
        }

        @Override
        public Long handle(GiveBackRequest request, Changes changes, PartitionOwner owner) {
            BlockCounter counter = changes.container().counters().counter(request.name());
            long version = counter.giveBack(request);
            if (version != GiveBackRequest.REFUSED) {
                changes.add(counter.snapshotFor(0));
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
            BlockCounter counter = changes.container().counters().counter(life.name());
            boolean destroyed = counter.destroy(life.incarnation());
            if (destroyed) {
                changes.container().counters().put(life.name(), counter);
                changes.add(counter.snapshotFor(0));
            }
            return destroyed;
        }
    }

    /** Unites counters of the losing side of a split network with those of this partition. */
    static final class Merge implements Handler<List<CounterSnapshot>, List<PossibleDuplicateIntegers>> {
        @Override
        public int requiredBackups(List<CounterSnapshot> losing, PartitionContainer container) {
            int most = 0;
            for (CounterSnapshot snapshot : losing) {
                most = Math.max(most, Math.max(snapshot.backupCount(), backupCount(container, snapshot.name())));
            }
            return most;
        }

        /** A winning side that stands still learns by it what the other one handed out. */
        @Override
        public boolean grantsNothing() {
            return true;
        }

        @Override
        public boolean isForAllReplicas(List<CounterSnapshot> losing) {
            return true;
        }

        @Override
        public List<PossibleDuplicateIntegers> handle(
                List<CounterSnapshot> losing, Changes changes, PartitionOwner owner) {
            List<PossibleDuplicateIntegers> found = new ArrayList<>();
            for (CounterSnapshot snapshot : losing) {
                BlockCounter counter = changes.container().counters().counter(snapshot.name());
                found.addAll(counter.merge(snapshot, PartitionContainer.newEpoch(), owner.clusterMillis()));
                changes.container().counters().put(snapshot.name(), counter);
                changes.add(counter.snapshotFor(0));
            }
            return found;
        }
    }
}
