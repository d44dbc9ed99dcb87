// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One kind of request to a member, most of them to the owner of a partition, described once for members and clients: its
 * number, and how the request and the answer are sent. Numbers keep their meaning for ever.
 */
public record Call<Q, A>(int number, String label, Form<Q> request, Route<Q, A> route, Form<A> answer) {
    /** How many requests a batch has at most: no partition's thread is kept long, and no message takes much memory. */
    public static final int MAX_BATCH_SIZE = 1_000;

    /** Attaches a holder to a logical node; answers nothing if the incarnation that was asked for was destroyed. */
    public static final Call<AttachRequest, Optional<Grant>> ATTACH = new Call<>(
            1, "ATTACH", SequencerForms.ATTACH_REQUEST, AttachRequest::name, SequencerForms.GRANT.optional());

    /** Gives logical nodes back; answers whether each was the holder's. */
    public static final Call<List<DetachRequest>, List<Boolean>> DETACH =
            batch(2, "DETACH", SequencerForms.DETACH_REQUEST, DetachRequest::name, Form.BOOLEAN);

    /** Extends grants. */
    public static final Call<List<ExtendRequest>, List<ExtendReply>> EXTEND =
            batch(3, "EXTEND", SequencerForms.EXTEND_REQUEST, ExtendRequest::name, SequencerForms.EXTEND_REPLY);

    /** Destroys a life of a sequencer; answers whether it was alive. */
    public static final Call<Life, Boolean> DESTROY = new Call<>(4, "DESTROY", Life.FORM, Life::name, Form.BOOLEAN);

    /** Asks the member that a client is connected to for every {@link ClusterEvent}; answers the registration's ID. */
    public static final Call<Boolean, UUID> LISTEN = new Call<>(5, "LISTEN", Form.BOOLEAN, localOnly -> "", Form.ID);

    /** Reserves a block of an integer sequence; answers nothing if the incarnation that was asked for was destroyed. */
    public static final Call<ReserveRequest, Optional<Reservation>> RESERVE = new Call<>(
            6, "RESERVE", IntegerForms.RESERVE_REQUEST, ReserveRequest::name, IntegerForms.RESERVATION.optional());

    /** Gives back the rest of a block; answers the pool's new version, or that it was refused. */
    public static final Call<GiveBackRequest, Long> GIVE_BACK =
            new Call<>(7, "GIVE_BACK", IntegerForms.GIVE_BACK_REQUEST, GiveBackRequest::name, Form.NUMBER);

    /** Destroys a life of an integer sequence; answers whether it was alive. */
    public static final Call<Life, Boolean> DESTROY_INTEGERS =
            new Call<>(8, "DESTROY_INTEGERS", Life.FORM, Life::name, Form.BOOLEAN);

    /** Unites tables of one partition of a losing side of a split; answers the overlaps of each. Of members only. */
    public static final Call<List<TableSnapshot>, List<List<Overlap>>> MERGE = new Call<>(
            9,
            "MERGE",
            SequencerForms.TABLES,
            losing -> losing.get(0).name(),
            SequencerForms.OVERLAP.list().list());

    /** Unites pools of one partition of a losing side of a split; answers what exists twice. Of members only. */
    public static final Call<List<PoolSnapshot>, List<PossibleDuplicateIntegers>> MERGE_INTEGERS = new Call<>(
            10,
            "MERGE_INTEGERS",
            IntegerForms.POOL.list(),
            losing -> losing.get(0).name(),
            IntegerForms.POSSIBLE_DUPLICATES.list());

    /** Gives a partition its container; answers whether it has begun to grant. Of members only. */
    public static final Call<Nothing, Boolean> MAKE_CONTAINER =
            new Call<>(11, "MAKE_CONTAINER", Nothing.FORM, nothing -> "", Form.BOOLEAN);

    /** Asks a member which list of members it has, and how it is set up. Of members only. */
    public static final Call<Peer.Question, Peer.Answer> PEER =
            new Call<>(12, "PEER", Peer.Question.FORM, question -> "", Peer.Answer.FORM);

    /** Asks how a sequencer is defined; answers nothing if there is none. Of members only. */
    public static final Call<String, Optional<Definition>> FIND =
            new Call<>(13, "FIND", Form.NAME, name -> name, SequencerForms.DEFINITION.optional());

    /** Asks how an integer sequence is defined; answers nothing if there is none. Of members only. */
    public static final Call<String, Optional<PoolDefinition>> FIND_INTEGERS =
            new Call<>(14, "FIND_INTEGERS", Form.NAME, name -> name, IntegerForms.DEFINITION.optional());

    /** Asks what the owner of a partition knows. Of members only. */
    public static final Call<Nothing, ContainerSnapshot> STATUS =
            new Call<>(15, "STATUS", Nothing.FORM, nothing -> "", ContainerSnapshot.FORM);

    /** The content of a request that says nothing but what it is; to the owner of a partition whose name it has not. */
    public enum Nothing {
        NOTHING;

        private static final Form<Nothing> FORM = new Form<>((out, nothing) -> {}, in -> NOTHING);
    }

    /** What clients may send, in the order of their numbers, which begin with 1. */
    public static final List<Call<?, ?>> OF_CLIENTS =
            List.of(ATTACH, DETACH, EXTEND, DESTROY, LISTEN, RESERVE, GIVE_BACK, DESTROY_INTEGERS);

    /** In the order of their numbers. */
    private static final List<Call<?, ?>> ALL = Stream.concat(
                    OF_CLIENTS.stream(),
                    Stream.of(MERGE, MERGE_INTEGERS, MAKE_CONTAINER, PEER, FIND, FIND_INTEGERS, STATUS))
            .toList();

    /** Which of all a message belongs to. */
    public static final Form<Call<?, ?>> FORM = new Form<>(
            (out, call) -> out.writeByte(call.number),
            in -> ALL.get(in.small("the number of a call", 1, ALL.size()) - 1));

    /** The first byte of the type of a client's message: ours among those of Hazelcast's services. */
    private static final int OUR_MESSAGES = 0xE7_00_00;

    private Call(int number, String label, Form<Q> request, Function<Q, String> nameOf, Form<A> answer) {
        this(number, label, request, new Route.ToOne<>(nameOf), answer);
    }

    private static <E, R> Call<List<E>, List<R>> batch(
            int number, String label, Form<E> each, Function<E, String> nameOf, Form<R> answer) {
        return new Call<>(
                number, label, each.list(MAX_BATCH_SIZE), new Route.ToEach<>(nameOf), answer.list(MAX_BATCH_SIZE));
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
