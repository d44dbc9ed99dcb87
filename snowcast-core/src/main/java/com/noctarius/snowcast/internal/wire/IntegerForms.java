// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.BOOLEAN;
import static com.noctarius.snowcast.internal.wire.Form.ID;
import static com.noctarius.snowcast.internal.wire.Form.NAME;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.RecordForm.field;
import static com.noctarius.snowcast.internal.wire.SequencerForms.BACKUP_COUNT;
import static com.noctarius.snowcast.internal.wire.SequencerForms.INCARNATION;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.RememberedReply;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;

/** How the values of integer sequences are sent. */
final class IntegerForms {
    private static final Form<Long> FIRST_VALUE = Form.number("firstValue", 0, Long.MAX_VALUE);

    private static final Form<Block> BLOCK =
            RecordForm.of(Block.class, field("first", NUMBER), field("count", NUMBER), field("step", NUMBER));

    static final Form<PoolDefinition> DEFINITION = RecordForm.of(
            PoolDefinition.class,
            field("firstValue", FIRST_VALUE),
            field("lastValue", NUMBER),
            field("backupCount", BACKUP_COUNT),
            field("isInClusterOrder", BOOLEAN));

    static final Form<ReserveRequest> RESERVE_REQUEST = RecordForm.of(
            ReserveRequest.class,
            field("name", NAME),
            field("definition", DEFINITION),
            field("incarnation", INCARNATION),
            field("holder", ID),
            field("requestNumber", NUMBER),
            field("size", Form.number("size", 0, Long.MAX_VALUE)),
            field("highestGiven", Form.number("highestGiven", -1, Long.MAX_VALUE)),
            field(
                    "afterLoss",
                    RecordForm.of(
                                    ReserveRequest.AfterLoss.class,
                                    field("firstValue", FIRST_VALUE),
                                    field("lostBeforeMillis", NUMBER))
                            .nullable()));

    static final Form<Reservation> RESERVATION = RecordForm.of(
            Reservation.class,
            field("incarnation", INCARNATION),
            field("block", BLOCK.nullable()),
            field("version", NUMBER));

    static final Form<GiveBackRequest> GIVE_BACK_REQUEST = RecordForm.of(
            GiveBackRequest.class,
            field("name", NAME),
            field("incarnation", INCARNATION),
            field("holder", ID),
            field("rest", BLOCK),
            field("version", NUMBER));

    static final Form<PossibleDuplicateIntegers> POSSIBLE_DUPLICATES = RecordForm.of(
            PossibleDuplicateIntegers.class,
            field("sequenceName", NAME),
            field("first", NUMBER),
            field("last", NUMBER));

    static final Form<RememberedReply> REPLY = RecordForm.of(
            RememberedReply.class,
            field("holder", ID),
            field("requestNumber", NUMBER),
            field("blocks", BLOCK.list()),
            field("version", NUMBER));

    private IntegerForms() {}
}
