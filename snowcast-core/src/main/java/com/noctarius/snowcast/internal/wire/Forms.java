// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.BOOLEAN;
import static com.noctarius.snowcast.internal.wire.Form.ID;
import static com.noctarius.snowcast.internal.wire.Form.NAME;
import static com.noctarius.snowcast.internal.wire.Form.NUMBER;
import static com.noctarius.snowcast.internal.wire.Form.TEXT;
import static com.noctarius.snowcast.internal.wire.Form.field;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Instant;
import java.util.List;

/** The wire formats of the content of messages: requests and answers, the data that replicas receive, and statuses. */
public final class Forms {
    static final Form<Integer> COUNT = Form.integer("a count", 0, Integer.MAX_VALUE);
    static final Form<Long> LEASE = Form.number("leaseMillis", 0, Long.MAX_VALUE);
    static final Form<Long> INCARNATION = Form.number("incarnation", 0, Long.MAX_VALUE);

    private static final Form<Long> MOMENT = Form.number("millis", 0, Long.MAX_VALUE);

    private static final int MAX_NODE_ID = NodeLeaseConfig.MAX_NODE_COUNT - 1;
    private static final Form<Integer> NODE_ID = Form.integer("logicalNodeId", 0, MAX_NODE_ID);

    private static final Form<Instant> INSTANT = new Form<>(
            (out, instant) -> out.writeLong(instant.toEpochMilli()), in -> Instant.ofEpochMilli(in.number()));

    private static final Form<Token> TOKEN =
            Form.ofRecord(Token.class, field("tableId", NUMBER), field("sequence", NUMBER), field("holder", ID));

    private static final Form<SnowcastLayout> LAYOUT = Form.ofRecord(
            SnowcastLayout.class,
            field("timestampBits", Form.small("timestampBits", 1, Long.SIZE)),
            field("logicalNodeBits", Form.small("logicalNodeBits", 1, Long.SIZE)),
            field("counterBits", Form.small("counterBits", 0, Long.SIZE)));

    static final Form<Definition> DEFINITION = Form.ofRecord(
            Definition.class,
            field("epochOffset", NUMBER),
            field("layout", LAYOUT),
            field("backupCount", Form.small("backupCount", 0, SequencerConfig.MAX_BACKUP_COUNT)),
            field("startAbove", NUMBER.nullable()),
            field("leasedNodeCount", Form.integer("leasedNodeCount", 0, NodeLeaseConfig.MAX_NODE_COUNT)));

    static final Form<Grant> GRANT = Form.ofRecord(
            Grant.class,
            field("incarnation", INCARNATION),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("floor", NUMBER),
            field("ceiling", NUMBER),
            field("leaseMillis", NUMBER));

    static final Form<AttachRequest> ATTACH_REQUEST = Form.ofRecord(
            AttachRequest.class,
            field("name", NAME),
            field("definition", DEFINITION),
            field("incarnation", INCARNATION),
            field("holder", ID),
            field("requestNumber", NUMBER),
            field("holderNowMillis", NUMBER),
            field("leaseMillis", LEASE),
            field("lastIdTime", Form.number("lastIdTime", -1, Long.MAX_VALUE)));

    static final Form<RenewRequest> RENEW_REQUEST = Form.ofRecord(
            RenewRequest.class,
            field("name", NAME),
            field("definition", DEFINITION),
            field("incarnation", INCARNATION),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("ceiling", NUMBER),
            field("holderNow", NUMBER),
            field("leaseMillis", LEASE));

    static final Form<RenewReply> RENEW_REPLY = Form.ofRecord(
            RenewReply.class,
            field("outcome", Form.oneOf("outcome", List.of(RenewReply.Outcome.values()))),
            field("ceiling", NUMBER));

    static final Form<DetachRequest> DETACH_REQUEST = Form.ofRecord(
            DetachRequest.class,
            field("name", NAME),
            field("logicalNodeId", NODE_ID),
            field("token", TOKEN),
            field("lastIdTime", NUMBER));

    static final Form<PossibleDuplicates> POSSIBLE_DUPLICATES = Form.ofRecord(
            PossibleDuplicates.class,
            field("sequencerName", NAME),
            field("logicalNodeId", Form.integer("logicalNodeId", -1, MAX_NODE_ID)),
            field("from", INSTANT),
            field("to", INSTANT));

    private static final Form<NodeState> NODE_STATE = Form.ofRecord(
            NodeState.class,
            field("logicalNodeId", NODE_ID),
            field("version", NUMBER),
            field("token", TOKEN),
            field("requestNumber", NUMBER),
            field("floor", NUMBER),
            field("ceiling", NUMBER),
            field("leased", BOOLEAN));

    private static final Form<ContainerState> STATE =
            Form.ofRecord(ContainerState.class, field("waitEndMillis", MOMENT), field("lostSinceMillis", MOMENT));

    private static final Form<Lifecycle> LIFECYCLE = Form.ofRecord(
            Lifecycle.class,
            field("name", NAME),
            field("definition", DEFINITION.nullable()),
            field("incarnation", INCARNATION),
            field("destroyedUpTo", INCARNATION),
            field("changeNumber", NUMBER));

    private static final Form<TableHeader> HEADER = Form.ofRecord(
            TableHeader.class,
            field("lifecycle", LIFECYCLE),
            field("tableId", NUMBER),
            field("waitEndMillis", NUMBER),
            field("highestOfDestroyed", NUMBER),
            field("usedUpTo", NUMBER));

    public static final Form<Snapshot> TABLE = Form.ofRecord(
            Snapshot.class,
            field("kind", Form.oneOf("kind", List.of(Snapshot.Kind.values()))),
            field("header", HEADER),
            field("mergedMillis", NUMBER),
            field("partedMillis", NUMBER),
            field("entries", NODE_STATE.list(NodeLeaseConfig.MAX_NODE_COUNT)));

    /** The wire format of a partition's container, or of changes in it. */
    public static final Form<ContainerSnapshot> CONTAINER = Form.ofRecord(
            ContainerSnapshot.class, field("state", STATE), field("nameCount", COUNT), field("tables", TABLE.list()));

    static final Form<ContainerSnapshot.Losing> LOSING = Form.ofRecord(
            ContainerSnapshot.Losing.class, field("apartSinceMillis", MOMENT), field("container", CONTAINER));

    private static final Form<SnowcastEpoch> EPOCH =
            new Form<>((out, epoch) -> out.writeLong(epoch.getEpochOffset()), in -> Definition.epochOf(in.number()));

    private static final Form<ClusterStatus.Node> NODE = Form.ofRecord(
            ClusterStatus.Node.class,
            field("id", NODE_ID),
            field("isAttached", BOOLEAN),
            field("holder", TEXT),
            field("until", INSTANT));

    private static final Form<ClusterStatus.Sequencer> SEQUENCER = Form.ofRecord(
            ClusterStatus.Sequencer.class,
            field("name", TEXT),
            field("epoch", EPOCH),
            field("layout", LAYOUT),
            field("backupCount", COUNT),
            field("startAbove", NUMBER.nullable()),
            field("nodeIdCount", COUNT),
            field("nodes", NODE.list()),
            field("attachedCount", COUNT),
            field("expiringCount", COUNT),
            field("maxNodeCount", COUNT));

    static final Form<NodeIdCounts> NODE_ID_COUNTS = Form.ofRecord(
            NodeIdCounts.class, field("attached", COUNT), field("expiring", COUNT), field("total", COUNT));

    /** Writes nothing: only the status of a database has integer sequences, and that status is never sent. */
    private static final Form<List<ClusterStatus.Integers>> NO_INTEGERS =
            new Form<>((out, none) -> {}, in -> List.of());

    static final Form<ClusterStatus> STATUS = Form.ofRecord(
            ClusterStatus.class,
            field("time", INSTANT),
            field("sequencers", SEQUENCER.list()),
            field("sequencerCount", COUNT),
            field("integerSequences", NO_INTEGERS),
            field("possibleDuplicates", POSSIBLE_DUPLICATES.list()));

    private Forms() {}
}
