// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * One kind of request to a member, most of them to the owner of a partition, described once for members and clients:
 * its number, and how the request and the answer are sent. Numbers keep their meaning forever.
 */
public record RequestType<Q, A>(
        int number, String label, Form<Q> request, Function<Q, List<String>> namesOf, Form<A> answer) {
    /** How many requests a batch has at most: no partition's thread is kept long, and no message takes much memory. */
    public static final int MAX_BATCH_SIZE = 1_000;

    /** Attaches a holder to a node ID; answers nothing if the incarnation that was asked for was destroyed. */
    public static final RequestType<AttachRequest, Optional<Grant>> ATTACH =
            single(1, "ATTACH", SequencerForms.ATTACH_REQUEST, AttachRequest::name, SequencerForms.GRANT.optional());

    /** Gives node IDs back; answers whether each was the holder's. */
    public static final RequestType<List<DetachRequest>, List<Boolean>> DETACH =
            batch(2, "DETACH", SequencerForms.DETACH_REQUEST, DetachRequest::name, Form.BOOLEAN);

    /** Extends grants. */
    public static final RequestType<List<ExtendRequest>, List<ExtendReply>> EXTEND =
            batch(3, "EXTEND", SequencerForms.EXTEND_REQUEST, ExtendRequest::name, SequencerForms.EXTEND_REPLY);

    /** Destroys an incarnation; answers whether it is destroyed, now or before: not if the name is not known. */
    public static final RequestType<ClusterEvent.Destroyed, Boolean> DESTROY =
            single(4, "DESTROY", ClusterEvent.Destroyed.FORM, ClusterEvent.Destroyed::name, Form.BOOLEAN);

    /** Asks the member that a client is connected to for every {@link ClusterEvent}; answers the registration's ID. */
    public static final RequestType<Boolean, UUID> LISTEN = single(5, "LISTEN", Form.BOOLEAN, localOnly -> "", Form.ID);

    /**
     * Unites what a member of a losing side of a split knows of one partition with what its owner knows; answers what
     * may exist twice. Of members only.
     */
    public static final RequestType<ContainerSnapshot.Losing, ClusterEvent.DuplicatesReported> MERGE = single(
            6,
            "MERGE",
            ReplicaForms.LOSING,
            losing -> losing.container().tables().get(0).name(),
            ClusterEvent.DuplicatesReported.FORM);

    /** Gives a partition its container. Of members only. */
    public static final RequestType<Nothing, Nothing> MAKE_CONTAINER =
            single(7, "MAKE_CONTAINER", Nothing.FORM, nothing -> "", Nothing.FORM);

    /**
     * Asks a member which list of members it has, and how it is set up; sends the UUID that the asking member had
     * before it came over from the losing side of a split and sent what it knew, if it did. Of members only.
     */
    public static final RequestType<Optional<UUID>, Peer> PEER =
            single(8, "PEER", Form.ID.optional(), merged -> "", Peer.FORM);

    /** Asks how a name is defined, if it is. Of members only. */
    public static final RequestType<String, Optional<Definition>> FIND =
            single(9, "FIND", Form.NAME, name -> name, SequencerForms.DEFINITION.optional());

    /** Asks what the owner of a partition knows. Of members only. */
    public static final RequestType<Nothing, ContainerSnapshot> STATUS =
            single(10, "STATUS", Nothing.FORM, nothing -> "", ReplicaForms.CONTAINER);

    /** What a status is called in exceptions. */
    public static final String STATUS_SUBJECT = "status of the cluster";

    /**
     * Asks a member for the status of the cluster; a client needs a permission for the name {@code snowcast:status}.
     */
    public static final RequestType<Nothing, ClusterStatus> CLUSTER_STATUS =
            single(11, "CLUSTER_STATUS", Nothing.FORM, nothing -> "snowcast:status", StatusForms.STATUS);

    /** Asks how many node IDs of names are in use; answers nothing of a name that is not known. */
    public static final RequestType<List<String>, List<Optional<NodeIdCounts>>> COUNT =
            batch(12, "COUNT", Form.NAME, name -> name, StatusForms.NODE_ID_COUNTS.optional());

    /** The content of a request that says nothing but what it is, and of an answer that says only that it is done. */
    public enum Nothing {
        NOTHING;

        private static final Form<Nothing> FORM = new Form<>((out, nothing) -> {}, in -> NOTHING);
    }

    /** What clients may send. */
    public static final List<RequestType<?, ?>> OF_CLIENTS =
            List.of(ATTACH, DETACH, EXTEND, DESTROY, LISTEN, CLUSTER_STATUS, COUNT);

    /** In the order of their numbers, which begin with 1. */
    private static final List<RequestType<?, ?>> ALL = List.of(
            ATTACH, DETACH, EXTEND, DESTROY, LISTEN, MERGE, MAKE_CONTAINER, PEER, FIND, STATUS, CLUSTER_STATUS, COUNT);

    /** Which of all a message belongs to. */
    public static final Form<RequestType<?, ?>> FORM = new Form<>(
            (out, type) -> out.writeByte(type.number),
            in -> ALL.get(in.small("the number of a call", 1, ALL.size()) - 1));

    /** The first byte of the type of a client's message: ours among those of Hazelcast's services. */
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

    /** Returns the names that a request is about: one for each request of a batch, in their order, else one. */
    public List<String> names(Q content) {
        return namesOf.apply(content);
    }

    /** Returns the type of a client's message that carries the request; the answer's and the events' follow. */
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
