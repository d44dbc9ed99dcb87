// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member sends another one of itself.
 *
 * @param newestVersion the newest version of the wire format that it reads
 * @param former how far IDs may have been issued before it was started; or, if its cluster has begun, before that
 * @param hasBegun whether its cluster has begun to grant
 */
public record Peer(int newestVersion, Setup setup, HighWaterMark former, boolean hasBegun) {
    /**
     * What a member asks another one.
     *
     * @param merged its UUID before it came over from the losing side of a split and sent what it knew; null if it did not
     */
    public record Question(@Nullable UUID merged) {
        static final Form<Question> FORM = RecordForm.of(Question.class, field("merged", Form.ID.nullable()));
    }

    /**
     * What it is answered.
     *
     * @param listHash a hash of its list of members; 0 if it has none yet
     * @param isCurrent whether its vote makes a majority: it was not paused, and has not just joined
     * @param steadyMillis what its steady clock shows, since 1970
     * @param clusterMillis cluster time as it computes it, since 1970
     */
    public record Answer(long listHash, boolean isCurrent, Peer peer, long steadyMillis, long clusterMillis) {
        static final Form<Answer> FORM = RecordForm.of(
                Answer.class,
                field("listHash", Form.NUMBER),
                field("isCurrent", Form.BOOLEAN),
                field("peer", Peer.FORM),
                field("steadyMillis", Form.NUMBER),
                field("clusterMillis", Form.NUMBER));
    }

    /**
     * How it is set up, where all members of a cluster have to be alike.
     *
     * @param maxLeaseMillis how long the lease of another member may be
     */
    public record Setup(String nodeIdRange, long leaseMillis, long maxLeaseMillis, long maxSkewMillis) {}

    static final Form<Peer> FORM = RecordForm.of(
            Peer.class,
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
            field("hasBegun", Form.BOOLEAN));
}
