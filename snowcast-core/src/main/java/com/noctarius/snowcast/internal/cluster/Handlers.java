// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.cluster.Handlers.Exemption.BEST_EFFORT;
import static com.noctarius.snowcast.internal.cluster.Handlers.Exemption.READS_ONLY;
import static com.noctarius.snowcast.internal.cluster.Handlers.Exemption.RUNS_WHILE_PASSIVE;
import static com.noctarius.snowcast.internal.cluster.Handlers.Exemption.RUNS_WITHOUT_QUORUM;
import static com.noctarius.snowcast.internal.cluster.Handlers.Exemption.RUNS_WITHOUT_VOTE;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntBiFunction;

/** The handlers with which partition owners execute requests, by {@link RequestType}. */
final class Handlers {
    private static final Map<RequestType<?, ?>, Handler<?, ?>> BY_TYPE = new HashMap<>();

    /** The exemptions of requests for status and counts, which an owner answers even while it can make no grants. */
    private static final Exemption[] READING = {READS_ONLY, BEST_EFFORT, RUNS_WITHOUT_QUORUM, RUNS_WHILE_PASSIVE};

    static {
        put(
                RequestType.ATTACH,
                Handlers::attach,
                (request, container) -> request.definition().backupCount());
        // Renewals may run in a PASSIVE cluster, because they grant no free node ID. Otherwise the sequencers would
        // stop when their leases expire.
        put(
                RequestType.RENEW,
                Handlers::renew,
                highestOfBatch((request, container) -> request.definition().backupCount()),
                RUNS_WHILE_PASSIVE);
        // A member that leaves the cluster detaches its sequencers while its partitions migrate. Until it has left,
        // there may be too few backups. Detach requests are therefore best effort. If a detach request
        // fails, the node ID is free when its lease has expired.
        put(
                RequestType.DETACH,
                Handlers::detach,
                highestOfBatch((request, container) -> backupsOf(container, request.name())),
                BEST_EFFORT,
                RUNS_WHILE_PASSIVE);
        put(RequestType.DESTROY, Handlers::destroy, (destroyed, container) -> backupsOf(container, destroyed.name()));
        // The winning side of a split must receive the grants of the losing side even in a PASSIVE cluster.
        put(RequestType.MERGE, Handlers::merge, Handlers::backupsOfMerge, RUNS_WITHOUT_VOTE, RUNS_WHILE_PASSIVE);
        put(RequestType.FIND, Handlers::find, (name, container) -> 0, RUNS_WITHOUT_VOTE, RUNS_WHILE_PASSIVE);
        put(
                RequestType.STATUS,
                (nothing, context) -> context.container.snapshotFor(0),
                (nothing, container) -> 0,
                READING);
        put(RequestType.COUNT, Handlers::count, (names, container) -> 0, READING);
        put(
                RequestType.MAKE_CONTAINER,
                Handlers::makeContainer,
                (nothing, container) -> 0,
                RUNS_WITHOUT_QUORUM,
                RUNS_WITHOUT_VOTE,
                RUNS_WHILE_PASSIVE);
    }

    /**
     * The owner's handler for one type of request, and the conditions under which it runs. Handlers are idempotent: it
     * is safe to execute a request again, and the backups then receive its changes again.
     *
     * @param action executes a request, and records its changes
     * @param backups how many live backups must receive the changes of a request
     * @param exemptions the conditions that do not apply to requests of this type
     */
    record Handler<Q, A>(
            BiFunction<Q, RequestContext, A> action,
            ToIntBiFunction<Q, PartitionContainer> backups,
            Set<Exemption> exemptions) {}

    /** A condition that does not apply to requests of a type. */
    enum Exemption {
        /**
         * Hazelcast's split-brain protection does not apply to the request. The request runs even while the container
         * is cold, before {@link OtherMembers#startMark()} is known: a cluster begins to grant only with a quorum.
         */
        RUNS_WITHOUT_QUORUM,
        /**
         * An owner executes the request even if backups are missing, if the owner is leaving the cluster, or if the
         * {@link com.noctarius.snowcast.internal.vote.Electorate} does not confirm the owner. Hazelcast's split-brain
         * protection can still refuse the request, unless {@link #RUNS_WITHOUT_QUORUM} applies, too.
         *
         * <p>On the caller's member, {@link MemberTransport} fails the request at once if the cluster state prevents an
         * owner. It accepts an answer even if a backup has not acknowledged the changes, or a member has left
         * meanwhile.
         */
        BEST_EFFORT,
        /**
         * The request changes nothing and makes no container. The check may still discard data that must not be used.
         */
        READS_ONLY,
        /**
         * The owner needs no confirmation by the {@code Electorate}. An owner that has been removed from the cluster
         * may then execute the request, too. Such requests make no grant, and destroy no existing sequencer of this
         * cluster.
         */
        RUNS_WITHOUT_VOTE,
        /**
         * The request runs in a PASSIVE cluster, too, because it grants no free node ID, and destroys no sequencer
         * except by a merge. The request creates a sequencer only if it is a merge, or a renewal that restores the
         * sequencer after a loss of data.
         */
        RUNS_WHILE_PASSIVE
    }

    private Handlers() {}

    private static <Q, A> void put(
            RequestType<Q, A> type,
            BiFunction<Q, RequestContext, A> action,
            ToIntBiFunction<Q, PartitionContainer> backups,
            Exemption... exemptions) {
        BY_TYPE.put(type, new Handler<>(action, backups, Set.of(exemptions)));
    }

    private static <E> ToIntBiFunction<List<E>, PartitionContainer> highestOfBatch(
            ToIntBiFunction<E, PartitionContainer> ofEach) {
        return (batch, container) -> batch.stream()
                .mapToInt(request -> ofEach.applyAsInt(request, container))
                .max()
                .orElse(0);
    }

    private static int backupsOf(PartitionContainer container, String name) {
        return container.table(name).backupCount();
    }

    private static int backupsOfMerge(ContainerSnapshot.Losing losing, PartitionContainer container) {
        return container.tablesToMerge(losing.container()).stream()
                .mapToInt(table -> Math.max(table.backupCount(), backupsOf(container, table.name())))
                .max()
                .orElse(0);
    }

    @SuppressWarnings("unchecked") // put() accepts only matching types.
    static <Q, A> Handler<Q, A> of(RequestType<Q, A> type) {
        Handler<?, ?> handler = BY_TYPE.get(type);
        if (handler == null) {
            throw new IllegalArgumentException("no call to the owner of a partition: " + type);
        }
        return (Handler<Q, A>) handler;
    }

    private static Optional<Grant> attach(AttachRequest request, RequestContext context) {
        TableRules rules = context.bounds.rulesToAttach();
        return context.ofTable(request.name(), table -> table.attach(request, context.nowMillis, rules));
    }

    private static List<RenewReply> renew(List<RenewRequest> requests, RequestContext context) {
        TableRules rules = context.bounds.rulesToRenew(requests);
        return requests.stream()
                .map(request ->
                        context.ofTable(request.name(), table -> table.renew(request, context.nowMillis, rules)))
                .toList();
    }

    private static List<Boolean> detach(List<DetachRequest> requests, RequestContext context) {
        return requests.stream()
                .map(request -> context.ofTable(request.name(), table -> table.detach(request)))
                .toList();
    }

    private static Boolean destroy(Destroyed destroyed, RequestContext context) {
        context.container.forgetDestroyed(context.nowMillis);
        return context.ofTable(destroyed.name(), table -> table.destroy(destroyed.number(), context.nowMillis));
    }

    private static DuplicatesReported merge(ContainerSnapshot.Losing losing, RequestContext context) {
        context.goToAllReplicas();
        context.container.extendWait(losing.container());
        return new DuplicatesReported(context.container.tablesToMerge(losing.container()).stream()
                .map(table -> context.merge(table, losing.apartSinceMillis()))
                .flatMap(List::stream)
                .toList());
    }

    private static Optional<Definition> find(String name, RequestContext context) {
        return context.ofTable(name, table -> table.find(context.nowMillis));
    }

    private static List<Optional<NodeIdCounts>> count(List<String> names, RequestContext context) {
        TableRules rules = context.bounds.rules();
        return names.stream()
                .map(name -> context.container.table(name).table().nodeIdCounts(context.nowMillis, rules))
                .toList();
    }

    /**
     * Makes a container on a partition's owner and its backups, so that a later owner knows that the partition had no
     * data; after a loss, and for a copy that was discarded, also sends all tables. Also starts the container's wait
     * after a start of the whole cluster, so that the wait begins before a name is first used.
     */
    private static RequestType.Nothing makeContainer(RequestType.Nothing nothing, RequestContext context) {
        context.sendAll();
        context.bounds.endColdIfPossible(context.container);
        return nothing;
    }
}
