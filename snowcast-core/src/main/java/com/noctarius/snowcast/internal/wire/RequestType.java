// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A type of request to a member, usually to the owner of a partition: its number, and the wire formats of request and
 * answer. Members and clients use the same definition. The meaning of a number never changes.
 *
 * @param namesOf returns the names that a request is about: one, or one for each element of a batch, in the order of
 *     the batch. For a request about no name, returns one empty name; for {@link #CLUSTER_STATUS}, the name of its
 *     permission
 */
public record RequestType<Q, A>(
        int number, String label, Form<Q> request, Function<Q, List<String>> namesOf, Form<A> answer) {
    /** The maximum size of a batch, which limits the time on a partition's thread and the memory of a message. */
    public static final int MAX_BATCH_SIZE = 1_000;

    /**
     * Requests a node ID for a holder. The answer is empty if the requested incarnation was destroyed, or that of the
     * grant with which the same request was answered before.
     */
    public static final RequestType<AttachRequest, Optional<Grant>> ATTACH =
            single(1, "ATTACH", Forms.ATTACH_REQUEST, AttachRequest::name, Forms.GRANT.optional());

    /** Releases node IDs. The answer says for each node ID whether the request had the token of the present grant. */
    public static final RequestType<List<DetachRequest>, List<Boolean>> DETACH =
            batch(2, "DETACH", Forms.DETACH_REQUEST, DetachRequest::name, Form.BOOLEAN);

    /** Renews leases; the answer has the outcome and the new ceiling of each lease. */
    public static final RequestType<List<RenewRequest>, List<RenewReply>> RENEW =
            batch(3, "RENEW", Forms.RENEW_REQUEST, RenewRequest::name, Forms.RENEW_REPLY);

    /** Destroys an incarnation; the answer is true if it was destroyed, now or before, and false if it is unknown. */
    public static final RequestType<ClusterEvent.Destroyed, Boolean> DESTROY =
            single(4, "DESTROY", ClusterEvent.Destroyed.FORM, ClusterEvent.Destroyed::name, Form.BOOLEAN);

    /** Requests that a member pass each {@link ClusterEvent} to a client; the answer is the ID of the registration. */
    public static final RequestType<Boolean, UUID> LISTEN = single(5, "LISTEN", Form.BOOLEAN, localOnly -> "", Form.ID);

    /**
     * Merges a partition of the losing side of a split; the answer is the IDs that may exist twice. For members only.
     */
    public static final RequestType<ContainerSnapshot.Losing, ClusterEvent.DuplicatesReported> MERGE =
            single(6, "MERGE", Forms.LOSING, losing -> "", ClusterEvent.DuplicatesReported.FORM);

    /** Makes a partition's container on its owner, and sends it to its backups. For members only. */
    public static final RequestType<Nothing, Nothing> MAKE_CONTAINER =
            single(7, "MAKE_CONTAINER", Nothing.FORM, nothing -> "", Nothing.FORM);

    /**
     * Requests a member's vote, settings, clocks and high-water mark. After a split, a member of the losing side that
     * has sent all its data to the winning side adds to its requests its UUID on the losing side. For members only.
     */
    public static final RequestType<Optional<UUID>, Peer> PEER =
            single(8, "PEER", Form.ID.optional(), formerUuid -> "", Peer.FORM);

    /** Requests the definition of a name; the answer is empty if the name does not exist. For members only. */
    public static final RequestType<String, Optional<Definition>> FIND =
            single(9, "FIND", Form.NAME, name -> name, Forms.DEFINITION.optional());

    /** Requests the data of a partition from its owner, for a status. For members only. */
    public static final RequestType<Nothing, ContainerSnapshot> STATUS =
            single(10, "STATUS", Nothing.FORM, nothing -> "", Forms.CONTAINER);

    /** The subject of a status request in exception messages. */
    public static final String STATUS_SUBJECT = "status of the cluster";

    /** Requests the status of the cluster; a client needs a permission for the name {@code snowcast:status}. */
    public static final RequestType<Nothing, ClusterStatus> CLUSTER_STATUS =
            single(11, "CLUSTER_STATUS", Nothing.FORM, nothing -> "snowcast:status", Forms.STATUS);

    /** Requests for each name how many node IDs it has in each state; empty for a name that does not exist. */
    public static final RequestType<List<String>, List<Optional<NodeIdCounts>>> COUNT =
            batch(12, "COUNT", Form.NAME, name -> name, Forms.NODE_ID_COUNTS.optional());

    /** The empty content of a request or an answer. */
    public enum Nothing {
        NOTHING;

        private static final Form<Nothing> FORM = new Form<>((out, nothing) -> {}, in -> NOTHING);
    }

    /** The types of requests that clients may send. */
    public static final List<RequestType<?, ?>> OF_CLIENTS =
            List.of(ATTACH, DETACH, RENEW, DESTROY, LISTEN, CLUSTER_STATUS, COUNT);

    /** All types in the order of their numbers, which begin with 1. */
    private static final List<RequestType<?, ?>> ALL = List.of(
            ATTACH, DETACH, RENEW, DESTROY, LISTEN, MERGE, MAKE_CONTAINER, PEER, FIND, STATUS, CLUSTER_STATUS, COUNT);

    /** The wire format of a request type: its number. */
    public static final Form<RequestType<?, ?>> FORM = new Form<>(
            (out, type) -> out.writeByte(type.number),
            in -> ALL.get(in.small("the number of a call", 1, ALL.size()) - 1));

    /** The service, 0xE7, in the types of snowcast's client messages. No service of Hazelcast has this number. */
    private static final int OUR_MESSAGES = 0xE7_00_00;

    private static <Q, A> RequestType<Q, A> single(
            int number, String label, Form<Q> request, Function<Q, String> nameOf, Form<A> answer) {
        return new RequestType<>(number, label, request, content -> List.of(nameOf.apply(content)), answer);
    }

    private static <E, R> RequestType<List<E>, List<R>> batch(
            int number, String label, Form<E> each, Function<E, String> nameOf, Form<R> answer) {
        return new RequestType<>(
                number,
                label,
                each.list(MAX_BATCH_SIZE),
                content -> content.stream().map(nameOf).toList(),
                answer.list(MAX_BATCH_SIZE));
    }

    /** Returns the type of the request's client message; the next numbers are those of the answer and of events. */
    public int requestType() {
        return OUR_MESSAGES | number << Byte.SIZE;
    }

    public int answerType() {
        return requestType() + 1;
    }

    public int eventType() {
        return requestType() + 2;
    }

    @Override
    public String toString() {
        return label;
    }
}
