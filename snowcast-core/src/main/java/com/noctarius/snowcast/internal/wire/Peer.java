// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.owner.Electorate.Standing;
import com.noctarius.snowcast.internal.owner.Electorate.Vote;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's answer to another member's request about its state.
 *
 * @param vote whether it lists the member that asks, and what it knows
 * @param former the high-water mark from before its start; or, if its cluster has begun to grant, from before that
 * @param hasBegun whether its cluster has begun to grant
 * @param steadyMillis what its steady clock shows, since 1970
 * @param clusterMillis cluster time as it computes it, since 1970
 */
public record Peer(
        Vote vote, Setup setup, HighWaterMark former, boolean hasBegun, long steadyMillis, long clusterMillis) {
    /**
     * The settings that each member compares with its own. The range and the skew must be the same on all members of a
     * cluster.
     *
     * @param leaseMillis its lease; it may differ up to the other's longest lease
     * @param maxLeaseMillis the longest lease that another member may have
     * @param safety the settings for the failures that it survives; they may differ during a rolling restart
     */
    public record Setup(String nodeIdRange, long leaseMillis, long maxLeaseMillis, long maxSkewMillis, Safety safety) {
        public Setup(String nodeIdRange, long leaseMillis, long maxLeaseMillis, long maxSkewMillis) {
            this(nodeIdRange, leaseMillis, maxLeaseMillis, maxSkewMillis, Safety.NONE);
        }
    }

    /**
     * The settings for the failures that a member survives. They can be changed by a rolling restart of the cluster.
     *
     * @param protection the name of its split-brain protection; null for none
     * @param quorum the minimum cluster size of that protection; 0 for none
     * @param waits whether the first grants after a full restart wait
     * @param marks how many members' high-water marks must be known before the first grants; 0 if it keeps none
     */
    public record Safety(@Nullable String protection, int quorum, boolean waits, int marks) {
        public static final Safety NONE = new Safety(null, 0, false, 0);
    }

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
            field(
                    "setup",
                    RecordForm.of(
                            Setup.class,
                            field("nodeIdRange", Form.NAME),
                            field("leaseMillis", SequencerForms.LEASE),
                            field("maxLeaseMillis", SequencerForms.LEASE),
                            field("maxSkewMillis", SequencerForms.LEASE),
                            field(
                                    "safety",
                                    RecordForm.of(
                                            Safety.class,
                                            field("protection", Form.TEXT.nullable()),
                                            field("quorum", Form.integer("quorum", 0, Integer.MAX_VALUE)),
                                            field("waits", Form.BOOLEAN),
                                            field("marks", Form.integer("marks", 0, Integer.MAX_VALUE)))))),
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
