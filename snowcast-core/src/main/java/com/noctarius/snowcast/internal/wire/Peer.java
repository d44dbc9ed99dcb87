// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.internal.floor.FloorMark;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member tells another one of itself.
 *
 * @param newestVersion the newest version of the wire format that it reads
 * @param listsCaller whether it lists the other one as a member, and has the same list of members
 * @param isCurrent whether it has not stood still since it was last confirmed itself
 * @param merged its UUID before it came over from the losing side of a split and told what it knew; null if it did not
 * @param former how far IDs may have been issued before it was started; or, if its cluster has begun, before that
 * @param hasBegun whether its cluster has begun to grant
 */
public record Peer(
        int newestVersion,
        boolean listsCaller,
        boolean isCurrent,
        @Nullable UUID merged,
        Setup setup,
        FloorMark former,
        boolean hasBegun) {
    /**
     * How it is set up, where all members of a cluster have to be alike.
     *
     * @param maxLeaseMillis how long the lease of another member may be
     */
    public record Setup(String nodeIdRange, long leaseMillis, long maxLeaseMillis, long maxSkewMillis) {}

    static final Form<Peer> FORM = RecordForm.of(
            Peer.class,
            Form.small("newestVersion", 1, Byte.MAX_VALUE),
            Form.BOOLEAN,
            Form.BOOLEAN,
            Form.ID.nullable(),
            RecordForm.of(Setup.class, Form.NAME, SequencerForms.LEASE, SequencerForms.LEASE, SequencerForms.LEASE),
            RecordForm.of(FloorMark.class, Form.NUMBER, Form.NUMBER, Form.BOOLEAN),
            Form.BOOLEAN);
}
