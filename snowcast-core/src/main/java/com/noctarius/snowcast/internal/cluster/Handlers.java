// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.cluster.Handler.Exemption.GRANTS_NOTHING;
import static com.noctarius.snowcast.internal.cluster.Handler.Exemption.NEEDS_NO_BACKUPS;
import static com.noctarius.snowcast.internal.cluster.Handler.Exemption.NEEDS_NO_BEGINNING;
import static com.noctarius.snowcast.internal.cluster.Handler.Exemption.READS_ONLY;
import static com.noctarius.snowcast.internal.cluster.Handler.Exemption.RUNS_WHILE_PASSIVE;

import com.noctarius.snowcast.internal.cluster.Handler.Action;
import com.noctarius.snowcast.internal.cluster.Handler.Backups;
import com.noctarius.snowcast.internal.cluster.Handler.Exemption;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.Incarnation;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.RequestType.Definitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Which handler answers which type of request. */
final class Handlers {
    private static final Map<RequestType<?, ?>, Handler<?, ?>> BY_TYPE = new HashMap<>();

    static {
        put(
                RequestType.ATTACH,
                SequencerHandlers::attach,
                (request, container) -> request.definition().backupCount());
        // An extension takes nothing that was free, and IDs would end without it.
        put(
                RequestType.EXTEND,
                SequencerHandlers::extend,
                most((request, container) -> request.definition().backupCount()),
                RUNS_WHILE_PASSIVE);
        // A node ID that still counts as attached is free when its lease has run out. A member that leaves detaches
        // while its partitions move away, and the others may be too few for the backups until it is gone.
        put(
                RequestType.DETACH,
                SequencerHandlers::detach,
                most((request, container) -> ofTable(container, request.name())),
                NEEDS_NO_BACKUPS,
                RUNS_WHILE_PASSIVE);
        BY_TYPE.put(
                RequestType.DESTROY,
                new Handler<Incarnation, Boolean>(
                        Handlers::destroy,
                        (destroyed, container) -> ofName(container, destroyed),
                        Set.of(),
                        (destroyed, isOver) -> isOver ? new Destroyed(destroyed) : null));
        // A winning side that is paused learns by a merge what the other one granted or handed out.
        put(RequestType.MERGE, Handlers::merge, Handlers::ofMerge, GRANTS_NOTHING, RUNS_WHILE_PASSIVE);
        put(
                RequestType.RESERVE,
                IntegerHandlers::reserve,
                (request, container) -> request.definition().backupCount());
        // A pool that does not receive it is higher than it need be. A member that leaves is not to wait for backups.
        put(
                RequestType.GIVE_BACK,
                IntegerHandlers::giveBack,
                (request, container) -> ofPool(container, request.name()),
                NEEDS_NO_BACKUPS,
                RUNS_WHILE_PASSIVE);
        put(RequestType.FIND, Handlers::find, (name, container) -> 0, GRANTS_NOTHING, RUNS_WHILE_PASSIVE);
        // Also a cluster answers that grants nothing at present.
        put(
                RequestType.STATUS,
                (nothing, changes) -> changes.container.status(changes.bounds.clusterMillis(), changes.bounds.rules()),
                (nothing, container) -> 0,
                READS_ONLY,
                NEEDS_NO_BEGINNING,
                NEEDS_NO_BACKUPS,
                RUNS_WHILE_PASSIVE);
        put(
                RequestType.MAKE_CONTAINER,
                Handlers::begin,
                (nothing, container) -> 0,
                NEEDS_NO_BEGINNING,
                GRANTS_NOTHING,
                RUNS_WHILE_PASSIVE);
    }

    private Handlers() {}

    private static <Q, A> void put(
            RequestType<Q, A> type, Action<Q, A> action, Backups<Q> backups, Exemption... exemptions) {
        BY_TYPE.put(type, new Handler<>(action, backups, Set.of(exemptions), null));
    }

    private static <E> Backups<List<E>> most(Backups<E> ofEach) {
        return (batch, container) -> batch.stream()
                .mapToInt(request -> ofEach.required(request, container))
                .max()
                .orElse(0);
    }

    private static int ofTable(PartitionContainer container, String name) {
        return container.table(name).backupCount();
    }

    private static int ofPool(PartitionContainer container, String name) {
        return container.pool(name).backupCount();
    }

    private static int ofName(PartitionContainer container, Incarnation destroyed) {
        return switch (destroyed.kind()) {
            case SEQUENCER -> ofTable(container, destroyed.name());
            case INTEGER_SEQUENCE -> ofPool(container, destroyed.name());
        };
    }

    private static int ofMerge(ContainerSnapshot losing, PartitionContainer container) {
        var ofTables = losing.tables().stream().mapToInt(Snapshot::backupCount);
        var ofPools =
                losing.pools().stream().mapToInt(pool -> Math.max(pool.backupCount(), ofPool(container, pool.name())));
        return IntStream.concat(ofTables, ofPools).max().orElse(0);
    }

    @SuppressWarnings("unchecked") // put() takes no other.
    static <Q, A> Handler<Q, A> of(RequestType<Q, A> type) {
        Handler<?, ?> handler = BY_TYPE.get(type);
        if (handler == null) {
            throw new IllegalArgumentException("no call to the owner of a partition: " + type);
        }
        return (Handler<Q, A>) handler;
    }

    private static Boolean destroy(Incarnation destroyed, ReplicatedChanges changes) {
        return switch (destroyed.kind()) {
            case SEQUENCER -> SequencerHandlers.destroy(destroyed, changes);
            case INTEGER_SEQUENCE -> IntegerHandlers.destroy(destroyed, changes);
        };
    }

    private static DuplicatesReported merge(ContainerSnapshot losing, ReplicatedChanges changes) {
        return new DuplicatesReported(
                SequencerHandlers.merge(losing.tables(), changes), IntegerHandlers.merge(losing.pools(), changes));
    }

    private static Definitions find(String name, ReplicatedChanges changes) {
        return new Definitions(
                changes.container.table(name).definition(),
                changes.container.pool(name).definition());
    }

    /**
     * Gives a partition's owner and its backups a container, so that they know that nothing was there before; and lets it
     * begin after a start of the whole cluster: a wait that began with the first use of a name would come much too late.
     */
    private static RequestType.Nothing begin(RequestType.Nothing nothing, ReplicatedChanges changes) {
        changes.goToAllReplicas();
        changes.bounds.beginIfKnown(changes.container);
        return nothing;
    }
}
