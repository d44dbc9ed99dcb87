// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.BOOLEAN;
import static com.noctarius.snowcast.internal.wire.Form.ID;
import static com.noctarius.snowcast.internal.wire.Form.NAME;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.SequencerForms.BACKUP_COUNT;
import static com.noctarius.snowcast.internal.wire.SequencerForms.INCARNATION;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.integers.PoolValue;
import com.noctarius.snowcast.internal.integers.RememberedReply;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.store.Block;

/** How the values of integer sequences are sent. */
final class IntegerForms {
    private static final Form<Long> FIRST_VALUE = Form.number("firstValue", 0, Long.MAX_VALUE);

    private static final Form<Block> BLOCK = RecordForm.of(Block.class, NUMBER, NUMBER, NUMBER);

    static final Form<PoolDefinition> DEFINITION =
            RecordForm.of(PoolDefinition.class, FIRST_VALUE, NUMBER, BACKUP_COUNT, BOOLEAN);

    static final Form<ReserveRequest> RESERVE_REQUEST = RecordForm.of(
            ReserveRequest.class,
            NAME,
            DEFINITION,
            INCARNATION,
            ID,
            NUMBER,
            Form.number("size", 0, Long.MAX_VALUE),
            Form.number("highestGiven", -1, Long.MAX_VALUE),
            RecordForm.of(ReserveRequest.AfterLoss.class, FIRST_VALUE, NUMBER).nullable());

    static final Form<Reservation> RESERVATION =
            RecordForm.of(Reservation.class, INCARNATION, BLOCK.nullable(), NUMBER);

    static final Form<GiveBackRequest> GIVE_BACK_REQUEST =
            RecordForm.of(GiveBackRequest.class, NAME, INCARNATION, ID, BLOCK, NUMBER);

    static final Form<PossibleDuplicateIntegers> POSSIBLE_DUPLICATES =
            RecordForm.of(PossibleDuplicateIntegers.class, NAME, NUMBER, NUMBER);

    private static final Form<PoolValue.Takeover> TAKEOVER =
            RecordForm.of(PoolValue.Takeover.class, NUMBER, ID.nullable(), NUMBER, NUMBER);

    private static final Form<PoolValue> VALUE =
            RecordForm.of(PoolValue.class, NUMBER, TAKEOVER.list(), SequencerForms.ACKNOWLEDGERS);

    private static final Form<RememberedReply> REPLY =
            RecordForm.of(RememberedReply.class, ID, NUMBER, BLOCK.list(), NUMBER);

    static final Form<PoolSnapshot> POOL = RecordForm.of(
            PoolSnapshot.class,
            SequencerForms.lifecycle(DEFINITION),
            NUMBER,
            NUMBER,
            NUMBER,
            VALUE.nullable(),
            REPLY.list());

    /** The pools of a partition, or some of them. */
    static final Form<PoolTable.Snapshot> POOLS =
            RecordForm.of(PoolTable.Snapshot.class, Form.integer("count", 0, Integer.MAX_VALUE), NUMBER, POOL.list());

    private IntegerForms() {}
}
