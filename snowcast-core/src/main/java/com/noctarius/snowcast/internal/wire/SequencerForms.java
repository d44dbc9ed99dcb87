// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.BOOLEAN;
import static com.noctarius.snowcast.internal.wire.Form.ID;
import static com.noctarius.snowcast.internal.wire.Form.NAME;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.time.Instant;
import java.util.List;

/** The wire formats of the values that describe sequencers, grants and requests. */
final class SequencerForms {
    static final Form<Integer> BACKUP_COUNT = Form.small("backupCount", 0, SequencerConfig.MAX_BACKUP_COUNT);
    static final Form<Long> INCARNATION = Form.number("incarnation", 0, Long.MAX_VALUE);

    private static final int MAX_NODE_ID = NodeLeaseConfig.MAX_NODE_COUNT - 1;

    static final Form<Integer> NODE_ID = Form.integer("logicalNodeId", 0, MAX_NODE_ID);

    private static final Form<Integer> NODE_ID_OR_ALL = Form.integer("logicalNodeId", -1, MAX_NODE_ID);

    static final Form<Long> LEASE = Form.number("leaseMillis", 0, Long.MAX_VALUE);

    static final Form<Instant> INSTANT = new Form<>(
            (out, instant) -> out.writeLong(instant.toEpochMilli()), in -> Instant.ofEpochMilli(in.number()));

    private static final Form<Token> TOKEN =
            RecordForm.of(Token.class, field("tableId", NUMBER), field("sequence", NUMBER), field("holder", ID));

    static final Form<SnowcastLayout> LAYOUT = RecordForm.of(
            SnowcastLayout.class,
            field("timestampBits", Form.small("timestampBits", 1, Long.SIZE)),
            field("logicalNodeBits", Form.small("logicalNodeBits", 1, Long.SIZE)),
            field("counterBits", Form.small("counterBits", 0, Long.SIZE)));

    static final Form<Definition> DEFINITION = RecordForm.of(
            Definition.class,
            field("epochOffset", NUMBER),
            field("layout", LAYOUT),
            field("backupCount", BACKUP_COUNT),
            field("startAbove", NUMBER.nullable()),
            field("leasedNodeCount", Form.integer("leasedNodeCount", 0, NodeLeaseConfig.MAX_NODE_COUNT)));

    static final Form<Grant> GRANT = RecordForm.of(
            Grant.class,
            field("incarnation", INCARNATION),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("floor", NUMBER),
            field("ceiling", NUMBER),
            field("leaseMillis", NUMBER));

    static final Form<AttachRequest> ATTACH_REQUEST = RecordForm.of(
            AttachRequest.class,
            field("name", NAME),
            field("definition", DEFINITION),
            field("incarnation", INCARNATION),
            field("holder", ID),
            field("requestNumber", NUMBER),
            field("holderNowMillis", NUMBER),
            field("leaseMillis", LEASE),
            field("lastMillis", Form.number("lastMillis", -1, Long.MAX_VALUE)));

    static final Form<RenewRequest> RENEW_REQUEST = RecordForm.of(
            RenewRequest.class,
            field("name", NAME),
            field("definition", DEFINITION),
            field("incarnation", INCARNATION),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("ceiling", NUMBER),
            field("holderNow", NUMBER),
            field("leaseMillis", LEASE));

    static final Form<RenewReply> RENEW_REPLY = RecordForm.of(
            RenewReply.class,
            field("outcome", Form.oneOf("outcome", List.of(RenewReply.Outcome.values()))),
            field("ceiling", NUMBER));

    static final Form<DetachRequest> DETACH_REQUEST = RecordForm.of(
            DetachRequest.class,
            field("name", NAME),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("lastMillis", NUMBER));

    static final Form<PossibleDuplicates> POSSIBLE_DUPLICATES = RecordForm.of(
            PossibleDuplicates.class,
            field("sequencerName", NAME),
            field("logicalNodeId", NODE_ID_OR_ALL),
            field("from", INSTANT),
            field("to", INSTANT));

    static final Form<NodeState> NODE_STATE = RecordForm.of(
            NodeState.class,
            field("logicalNodeId", NODE_ID),
            field("version", NUMBER),
            field("token", TOKEN),
            field("requestNumber", NUMBER),
            field("floor", NUMBER),
            field("ceiling", NUMBER),
            field("leased", BOOLEAN));

    private SequencerForms() {}
}
