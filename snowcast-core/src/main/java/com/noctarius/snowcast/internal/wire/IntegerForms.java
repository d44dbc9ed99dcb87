// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.DestroyedValues;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.integers.PoolValue;
import com.noctarius.snowcast.internal.integers.RememberedReply;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import com.noctarius.snowcast.store.Block;

/** How the values of integer sequences are sent. */
public final class IntegerForms {
    private static final Form<Block> BLOCK = new Form<>(
            (out, block) -> {
                out.writeLong(block.first());
                out.writeLong(block.count());
                out.writeLong(block.step());
            },
            in -> new Block(in.number(), in.number(), in.number()));

    private static final Form<PoolDefinition> DEFINITION = new Form<>(
            (out, definition) -> {
                out.writeLong(definition.firstValue());
                out.writeLong(definition.lastValue());
                out.writeByte(definition.backupCount());
                out.writeBoolean(definition.hasParent());
            },
            in -> {
                long firstValue = in.number("firstValue", 0, Long.MAX_VALUE);
                return new PoolDefinition(
                        firstValue,
                        in.number("lastValue", firstValue, Long.MAX_VALUE),
                        SequencerForms.backupCount(in),
                        in.bool());
            });

    private static final Form<ReserveRequest.AfterLoss> AFTER_LOSS = new Form<>(
            (out, afterLoss) -> {
                out.writeLong(afterLoss.firstValue());
                out.writeLong(afterLoss.lostBeforeMillis());
            },
            in -> new ReserveRequest.AfterLoss(in.number("firstValue", 0, Long.MAX_VALUE), in.number()));

    static final Form<ReserveRequest> RESERVE_REQUEST = new Form<>(
            (out, request) -> {
                out.writeString(request.name());
                DEFINITION.write(out, request.definition());
                out.writeLong(request.incarnation());
                SequencerForms.ID.write(out, request.holder());
                out.writeLong(request.requestNumber());
                out.writeLong(request.size());
                out.writeLong(request.highestGiven());
                out.writeLong(request.knownInstalls());
                BLOCK.writeNullable(out, request.range());
                AFTER_LOSS.writeNullable(out, request.afterLoss());
            },
            in -> new ReserveRequest(
                    in.name(),
                    in.value(DEFINITION),
                    SequencerForms.incarnation(in),
                    in.uuid(),
                    in.number(),
                    in.number("size", 0, Long.MAX_VALUE),
                    in.number("highestGiven", -1, Long.MAX_VALUE),
                    in.number("knownInstalls", 0, Long.MAX_VALUE),
                    in.nullable(BLOCK),
                    in.nullable(AFTER_LOSS)));

    static final Form<Reservation> RESERVATION = new Form<>(
            (out, reservation) -> {
                out.writeLong(reservation.incarnation());
                BLOCK.writeNullable(out, reservation.block());
                out.writeLong(reservation.version());
                out.writeLong(reservation.installs());
                out.writeBoolean(reservation.rangeWanted());
            },
            in -> new Reservation(
                    SequencerForms.incarnation(in), in.nullable(BLOCK), in.number(), in.number(), in.bool()));

    static final Form<GiveBackRequest> GIVE_BACK_REQUEST = new Form<>(
            (out, request) -> {
                out.writeString(request.name());
                out.writeLong(request.incarnation());
                BLOCK.write(out, request.rest());
                out.writeLong(request.version());
            },
            in -> new GiveBackRequest(in.name(), SequencerForms.incarnation(in), in.value(BLOCK), in.number()));

    static final Form<PossibleDuplicateIntegers> POSSIBLE_DUPLICATES = new Form<>(
            (out, found) -> {
                out.writeString(found.sequenceName());
                out.writeLong(found.first());
                out.writeLong(found.last());
            },
            in -> new PossibleDuplicateIntegers(in.name(), in.number(), in.number()));

    private static final Form<PoolValue.Takeover> TAKEOVER = new Form<>(
            (out, takeover) -> {
                out.writeLong(takeover.epoch());
                BLOCK.list().write(out, takeover.open());
                out.writeLong(takeover.installs());
            },
            in -> new PoolValue.Takeover(in.number(), in.value(BLOCK.list()), in.number()));

    private static final Form<PoolValue> VALUE = new Form<>(
            (out, value) -> {
                BLOCK.list().write(out, value.open());
                TAKEOVER.list().write(out, value.takeovers());
                out.writeLong(value.highest());
                out.writeLong(value.installs());
                BLOCK.list().write(out, value.installed());
            },
            in -> new PoolValue(
                    in.value(BLOCK.list()),
                    in.value(TAKEOVER.list()),
                    in.number(),
                    in.number(),
                    in.value(BLOCK.list())));

    private static final Form<RememberedReply> REPLY = new Form<>(
            (out, reply) -> {
                SequencerForms.ID.write(out, reply.holder());
                out.writeLong(reply.requestNumber());
                BLOCK.write(out, reply.block());
                out.writeLong(reply.version());
            },
            in -> new RememberedReply(in.uuid(), in.number(), in.value(BLOCK), in.number()));

    private static final Form<Lifecycle<PoolDefinition>> LIFECYCLE = SequencerForms.lifecycle(DEFINITION);

    static final Form<PoolSnapshot> POOL = new Form<>(
            (out, snapshot) -> {
                LIFECYCLE.write(out, snapshot.lifecycle());
                out.writeLong(snapshot.destroyed().highestWithoutParent());
                out.writeLong(snapshot.destroyed().highestWithParent());
                out.writeLong(snapshot.lostSinceMillis());
                out.writeLong(snapshot.repliesForgottenUpTo());
                VALUE.writeNullable(out, snapshot.value());
                REPLY.list().write(out, snapshot.replies());
            },
            in -> new PoolSnapshot(
                    in.value(LIFECYCLE),
                    new DestroyedValues(in.number(), in.number()),
                    in.number(),
                    in.number(),
                    in.nullable(VALUE),
                    in.value(REPLY.list())));

    /** The pools of a partition, or some of them. */
    public static final Form<PoolTable.Snapshot> POOLS = new Form<>(
            (out, pools) -> {
                out.writeInt(pools.count());
                out.writeLong(pools.lostSinceMillis());
                POOL.list().write(out, pools.pools());
            },
            in -> new PoolTable.Snapshot(
                    in.integer("count", 0, Integer.MAX_VALUE), in.number(), in.value(POOL.list())));

    private IntegerForms() {}
}
