// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeState;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.OwnerHistory;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.table.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** How the values of sequencers are sent. */
public final class SequencerForms {
    static final int MAX_BACKUP_COUNT = 6;

    private static final int MAX_NODE_ID = SnowcastLayout.MAX_LOGICAL_NODE_COUNT - 1;
    private static final List<TableSnapshot.Kind> SNAPSHOT_KINDS =
            List.of(TableSnapshot.Kind.FULL, TableSnapshot.Kind.CHANGE, TableSnapshot.Kind.DEFINITION);
    private static final List<ExtendReply.Outcome> OUTCOMES =
            List.of(ExtendReply.Outcome.EXTENDED, ExtendReply.Outcome.REFUSED, ExtendReply.Outcome.DESTROYED);

    /** A random identity. */
    public static final Form<UUID> ID = new Form<>(
            (out, id) -> {
                out.writeLong(id.getMostSignificantBits());
                out.writeLong(id.getLeastSignificantBits());
            },
            WireInput::uuid);

    private static final Form<Token> TOKEN = new Form<>(
            (out, token) -> {
                out.writeLong(token.tableEpoch());
                out.writeLong(token.sequence());
            },
            in -> new Token(in.number(), in.number()));

    private static final Form<Definition> DEFINITION = new Form<>(
            (out, definition) -> {
                out.writeLong(definition.epochOffset());
                out.writeByte(definition.layout().timestampBits());
                out.writeByte(definition.layout().logicalNodeBits());
                out.writeByte(definition.layout().counterBits());
                out.writeByte(definition.backupCount());
            },
            in -> new Definition(in.number(), layout(in), backupCount(in)));

    static final Form<Grant> GRANT = new Form<>(
            (out, grant) -> {
                out.writeLong(grant.incarnation());
                out.writeInt(grant.logicalNodeId());
                TOKEN.write(out, grant.token());
                out.writeLong(grant.floor());
                out.writeLong(grant.ceiling());
                out.writeLong(grant.leaseMillis());
            },
            in -> new Grant(incarnation(in), nodeId(in), in.value(TOKEN), in.number(), in.number(), in.number()));

    static final Form<AttachRequest> ATTACH_REQUEST = new Form<>(
            (out, request) -> {
                out.writeString(request.name());
                DEFINITION.write(out, request.definition());
                out.writeLong(request.incarnation());
                ID.write(out, request.holder());
                out.writeLong(request.requestNumber());
                out.writeLong(request.holderNowMillis());
                out.writeLong(request.leaseMillis());
                out.writeLong(request.lastMillis());
            },
            in -> new AttachRequest(
                    in.name(),
                    in.value(DEFINITION),
                    incarnation(in),
                    in.uuid(),
                    in.number(),
                    in.number(),
                    in.number("leaseMillis", 0, Long.MAX_VALUE),
                    in.number("lastMillis", -1, Long.MAX_VALUE)));

    static final Form<ExtendRequest> EXTEND_REQUEST = new Form<>(
            (out, request) -> {
                out.writeString(request.name());
                DEFINITION.write(out, request.definition());
                out.writeLong(request.incarnation());
                out.writeInt(request.logicalNodeId());
                TOKEN.write(out, request.token());
                ID.write(out, request.holder());
                out.writeLong(request.ceiling());
                out.writeLong(request.holderNow());
                out.writeLong(request.leaseMillis());
            },
            in -> new ExtendRequest(
                    in.name(),
                    in.value(DEFINITION),
                    incarnation(in),
                    nodeId(in),
                    in.value(TOKEN),
                    in.uuid(),
                    in.number(),
                    in.number(),
                    in.number("leaseMillis", 0, Long.MAX_VALUE)));

    static final Form<ExtendReply> EXTEND_REPLY = new Form<>(
            (out, reply) -> {
                out.writeByte(OUTCOMES.indexOf(reply.outcome()));
                out.writeLong(reply.ceiling());
            },
            in -> new ExtendReply(in.oneOf("outcome", OUTCOMES), in.number()));

    static final Form<DetachRequest> DETACH_REQUEST = new Form<>(
            (out, request) -> {
                out.writeString(request.name());
                out.writeInt(request.logicalNodeId());
                TOKEN.write(out, request.token());
                out.writeLong(request.lastMillis());
            },
            in -> new DetachRequest(in.name(), nodeId(in), in.value(TOKEN), in.number()));

    static final Form<Overlap> OVERLAP = new Form<>(
            (out, overlap) -> {
                out.writeInt(overlap.logicalNodeId());
                out.writeLong(overlap.fromMillis());
                out.writeLong(overlap.toMillis());
            },
            in -> new Overlap(in.integer("logicalNodeId", -1, MAX_NODE_ID), in.number(), in.number()));

    static final Form<PossibleDuplicates> POSSIBLE_DUPLICATES = new Form<>(
            (out, found) -> {
                out.writeString(found.sequencerName());
                out.writeInt(found.logicalNodeId());
                out.writeLong(found.from().toEpochMilli());
                out.writeLong(found.to().toEpochMilli());
            },
            in -> new PossibleDuplicates(
                    in.name(),
                    in.integer("logicalNodeId", -1, MAX_NODE_ID),
                    Instant.ofEpochMilli(in.number()),
                    Instant.ofEpochMilli(in.number())));

    private static final Form<OwnerHistory.Owner> OWNER = new Form<>(
            (out, owner) -> {
                out.writeLong(owner.epoch());
                out.writeLong(owner.lowestIdTime());
                out.writeLong(owner.lastChange());
            },
            in -> new OwnerHistory.Owner(in.number(), in.number(), in.number()));

    private static final Form<NodeState> NODE_STATE = new Form<>(
            (out, state) -> {
                out.writeInt(state.logicalNodeId());
                out.writeLong(state.version());
                TOKEN.write(out, state.token());
                ID.write(out, state.holder());
                out.writeLong(state.requestNumber());
                out.writeLong(state.lowestIdTime());
                out.writeLong(state.floor());
                out.writeLong(state.ceiling());
                out.writeBoolean(state.attached());
            },
            in -> new NodeState(
                    nodeId(in),
                    in.number(),
                    in.value(TOKEN),
                    in.uuid(),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.bool()));

    private static final Form<Lifecycle<Definition>> LIFECYCLE = lifecycle(DEFINITION);

    private static final Form<TableSnapshot> TABLE = new Form<>(
            (out, snapshot) -> {
                out.writeByte(SNAPSHOT_KINDS.indexOf(snapshot.kind()));
                LIFECYCLE.write(out, snapshot.lifecycle());
                out.writeLong(snapshot.highestId());
                out.writeLong(snapshot.tableEpoch());
                out.writeLong(snapshot.recoveringUntilMillis());
                out.writeLong(snapshot.floor());
                OWNER.list().write(out, snapshot.owners().owners());
                NODE_STATE.list().write(out, snapshot.nodes());
            },
            in -> new TableSnapshot(
                    in.oneOf("kind", SNAPSHOT_KINDS),
                    in.value(LIFECYCLE),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number(),
                    new OwnerHistory(in.value(OWNER.list())),
                    in.value(NODE_STATE.list(SnowcastLayout.MAX_LOGICAL_NODE_COUNT))));

    /** The tables of a partition, or what changed in some of them. */
    public static final Form<List<TableSnapshot>> TABLES = TABLE.list();

    private SequencerForms() {}

    static <D extends Lifecycle.BackedUp> Form<Lifecycle<D>> lifecycle(Form<D> definition) {
        return new Form<>(
                (out, lifecycle) -> {
                    out.writeString(lifecycle.name());
                    definition.writeNullable(out, lifecycle.definition());
                    out.writeLong(lifecycle.incarnation());
                    out.writeLong(lifecycle.destroyedUpTo());
                    out.writeLong(lifecycle.changeNumber());
                },
                in -> new Lifecycle<>(
                        in.name(), in.nullable(definition), incarnation(in), incarnation(in), in.number()));
    }

    private static SnowcastLayout layout(WireInput in) throws IOException {
        return new SnowcastLayout(
                in.small("timestampBits", 1, Long.SIZE),
                in.small("logicalNodeBits", 1, Long.SIZE),
                in.small("counterBits", 0, Long.SIZE));
    }

    static int backupCount(WireInput in) throws IOException {
        return in.small("backupCount", 0, MAX_BACKUP_COUNT);
    }

    static long incarnation(WireInput in) throws IOException {
        return in.number("incarnation", 0, Long.MAX_VALUE);
    }

    static int nodeId(WireInput in) throws IOException {
        return in.integer("logicalNodeId", 0, MAX_NODE_ID);
    }
}
