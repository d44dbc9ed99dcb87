// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.BOOLEAN;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.Form.TEXT;
import static com.noctarius.snowcast.internal.wire.RecordForm.field;
import static com.noctarius.snowcast.internal.wire.SequencerForms.INSTANT;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.List;

/** The wire format of a status, which a member sends to a client. */
final class StatusForms {
    private static final Form<Integer> COUNT = Form.integer("a count", 0, Integer.MAX_VALUE);

    private static final Form<SnowcastEpoch> EPOCH =
            new Form<>((out, epoch) -> out.writeLong(epoch.getEpochOffset()), in -> Definition.epochOf(in.number()));

    private static final Form<ClusterStatus.Node> NODE = RecordForm.of(
            ClusterStatus.Node.class,
            field("id", SequencerForms.NODE_ID),
            field("isAttached", BOOLEAN),
            field("holder", TEXT),
            field("until", INSTANT));

    private static final Form<ClusterStatus.Sequencer> SEQUENCER = RecordForm.of(
            ClusterStatus.Sequencer.class,
            field("name", TEXT),
            field("epoch", EPOCH),
            field("layout", SequencerForms.LAYOUT),
            field("backupCount", COUNT),
            field("startAbove", NUMBER.nullable()),
            field("nodeIdCount", COUNT),
            field("nodes", NODE.list()),
            field("attachedCount", COUNT),
            field("expiringCount", COUNT),
            field("maxNodeCount", COUNT));

    static final Form<NodeIdCounts> NODE_ID_COUNTS = RecordForm.of(
            NodeIdCounts.class, field("attached", COUNT), field("expiring", COUNT), field("total", COUNT));

    /** Writes nothing: only the status of a database has integer sequences, and that status is never sent. */
    private static final Form<List<ClusterStatus.Integers>> NO_INTEGERS =
            new Form<>((out, none) -> {}, in -> List.of());

    static final Form<ClusterStatus> STATUS = RecordForm.of(
            ClusterStatus.class,
            field("time", INSTANT),
            field("sequencers", SEQUENCER.list()),
            field("sequencerCount", COUNT),
            field("integerSequences", NO_INTEGERS),
            field("possibleDuplicates", SequencerForms.POSSIBLE_DUPLICATES.list()));

    private StatusForms() {}
}
