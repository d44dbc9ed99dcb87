// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.owner.Electorate.Standing;
import com.noctarius.snowcast.internal.owner.Electorate.Vote;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import java.util.List;

/**
 * What a member answers another one of itself.
 *
 * @param vote whether it lists the one that asks, and what it knows
 * @param newestVersion the newest version of the wire format that it reads
 * @param former how far IDs may have been issued before it was started; or, if its cluster has begun, before that
 * @param hasBegun whether its cluster has begun to grant
 * @param steadyMillis what its steady clock shows, since 1970
 * @param clusterMillis cluster time as it computes it, since 1970
 */
public record Peer(
        Vote vote,
        int newestVersion,
        Setup setup,
        HighWaterMark former,
        boolean hasBegun,
        long steadyMillis,
        long clusterMillis) {
    /**
     * How it is set up, where all members of a cluster have to be alike.
     *
     * @param maxLeaseMillis how long the lease of another member may be
     */
    public record Setup(String nodeIdRange, long leaseMillis, long maxLeaseMillis, long maxSkewMillis) {}

    static final Form<Peer> FORM = RecordForm.of(
            Peer.class,
            field(
                    "vote",
                    RecordForm.of(
                            Vote.class,
                            field("listHash", Form.NUMBER),
                            field("isCurrent", Form.BOOLEAN),
                            field("standing", Form.oneOf("a standing", List.of(Standing.values()))),
                            field("mostListed", Form.integer("mostListed", 0, Integer.MAX_VALUE)),
                            field("givenUpMillis", Form.NUMBER))),
            field("newestVersion", Form.small("newestVersion", 1, Byte.MAX_VALUE)),
            field(
                    "setup",
                    RecordForm.of(
                            Setup.class,
                            field("nodeIdRange", Form.NAME),
                            field("leaseMillis", SequencerForms.LEASE),
                            field("maxLeaseMillis", SequencerForms.LEASE),
                            field("maxSkewMillis", SequencerForms.LEASE))),
            field(
                    "former",
                    RecordForm.of(
                            HighWaterMark.class,
                            field("untilMillis", Form.NUMBER),
                            field("writtenMillis", Form.NUMBER),
                            field("closed", Form.BOOLEAN))),
            field("hasBegun", Form.BOOLEAN),
            field("steadyMillis", Form.NUMBER),
            field("clusterMillis", Form.NUMBER));
}
