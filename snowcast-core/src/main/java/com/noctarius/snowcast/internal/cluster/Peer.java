// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.floor.FloorMark;
import java.io.IOException;

/**
 * What a member tells another one of itself.
 *
 * @param listsCaller whether it lists the other one as a member
 * @param firstNodeId the first node ID that it may grant
 * @param lastNodeId the last one
 * @param former how far IDs may have been issued before it was started; or, if its cluster has begun, before that
 * @param hasBegun whether its cluster has begun to grant
 */
record Peer(boolean listsCaller, int firstNodeId, int lastNodeId, FloorMark former, boolean hasBegun) {
    static void write(ObjectDataOutput out, Peer peer) throws IOException {
        out.writeBoolean(peer.listsCaller);
        out.writeInt(peer.firstNodeId);
        out.writeInt(peer.lastNodeId);
        out.writeLong(peer.former.untilMillis());
        out.writeLong(peer.former.writtenMillis());
        out.writeBoolean(peer.former.closed());
        out.writeBoolean(peer.hasBegun);
    }

    static Peer read(ObjectDataInput in) throws IOException {
        return new Peer(
                in.readBoolean(),
                in.readInt(),
                in.readInt(),
                new FloorMark(in.readLong(), in.readLong(), in.readBoolean()),
                in.readBoolean());
    }
}
