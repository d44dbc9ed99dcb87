// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.status.ClusterStatus;

/**
 * Which part of a status is asked for. Within a partition the integer sequences come first, then the sequencers, each by
 * name.
 *
 * @param partition the partition to begin with
 * @param afterKey the key of the name that was the last one in the part before; empty for none
 * @param afterNode the last node ID of that name in the part before; {@link #WHOLE_NAME} if it had all of them
 * @param nodesLeft how many node IDs are wanted at most; of the others there are only counts
 * @param size how much the part has at most, in node IDs; a name counts as {@link #NAME_SIZE}
 */
record PageRequest(int partition, String afterKey, int afterNode, int nodesLeft, int size) {
    /** What a name takes in an answer, compared with a node ID. */
    static final int NAME_SIZE = 10;

    static final int WHOLE_NAME = Integer.MAX_VALUE;

    /** A part that is sent has 100 to 200 KB: many clients that ask at the same time take little memory of a member. */
    private static final int SIZE_TO_SEND = 2_000;

    /** How large an answer gets is not the sender's to say. */
    static final Form<PageRequest> FORM = new Form<>(
            (out, request) -> {
                out.writeInt(request.partition);
                out.writeString(request.afterKey);
                out.writeInt(request.afterNode);
                out.writeInt(request.nodesLeft);
            },
            in -> new PageRequest(
                    in.integer("partition", 0, Integer.MAX_VALUE),
                    in.text(),
                    in.integer("afterNode", 0, WHOLE_NAME),
                    in.integer("nodesLeft", 0, ClusterStatus.MAX_NODES),
                    SIZE_TO_SEND));

    static PageRequest first(int nodesLeft, int size) {
        return new PageRequest(0, "", WHOLE_NAME, nodesLeft, size);
    }

    static PageRequest firstToSend(int nodesLeft) {
        return first(nodesLeft, SIZE_TO_SEND);
    }

    static String key(ClusterStatus.Integers sequence) {
        return "i" + sequence.name();
    }

    static String key(Snapshot<Definition, NodeState> sequencer) {
        return "s" + sequencer.name();
    }

    /** Returns whether a name, or the rest of its node IDs, is still to come. */
    boolean isToCome(int ofPartition, String key) {
        int order = ofPartition == partition ? key.compareTo(afterKey) : 1;
        return order > 0 || (order == 0 && afterNode != WHOLE_NAME);
    }

    /** Returns whether a node ID is still to come, of a name that is. */
    boolean isToCome(int ofPartition, String key, int node) {
        return ofPartition != partition || !key.equals(afterKey) || node > afterNode;
    }

    PageRequest after(int newPartition, String key, int node, int nodesTaken) {
        return new PageRequest(newPartition, key, node, nodesLeft - nodesTaken, size);
    }
}
