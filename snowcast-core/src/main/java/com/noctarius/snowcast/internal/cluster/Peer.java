// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.floor.FloorMark;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member tells another one of itself.
 *
 * @param listsCaller whether it lists the other one as a member, and has the same list of members
 * @param isCurrent whether it has not stood still since it was last confirmed itself
 * @param merged its UUID before it came over from the losing side of a split and told what it knew; null if it did not
 * @param firstNodeId the first node ID that it may grant
 * @param lastNodeId the last one
 * @param former how far IDs may have been issued before it was started; or, if its cluster has begun, before that
 * @param hasBegun whether its cluster has begun to grant
 */
record Peer(
        boolean listsCaller,
        boolean isCurrent,
        @Nullable UUID merged,
        int firstNodeId,
        int lastNodeId,
        FloorMark former,
        boolean hasBegun) {
    static void write(ObjectDataOutput out, Peer peer) throws IOException {
        out.writeBoolean(peer.listsCaller);
        out.writeBoolean(peer.isCurrent);
        out.writeBoolean(peer.merged != null);
        if (peer.merged != null) {
            Wire.writeUuid(out, peer.merged);
        }
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
                in.readBoolean(),
                in.readBoolean() ? Wire.readUuid(in) : null,
                in.readInt(),
                in.readInt(),
                new FloorMark(in.readLong(), in.readLong(), in.readBoolean()),
                in.readBoolean());
    }
}
