// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.Form.field;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's answer to another member's {@link RequestType#PEER} request.
 *
 * @param vote the vote of the answering member, which confirms the asking member if both have the same list of members
 * @param mark if {@code isStartMark}, the high-water mark above which the answering member's cluster began to grant;
 *     else the mark that the answering member wrote last, or that it found when it started
 * @param isStartMark whether the answering member knows the start mark of its cluster
 * @param steadyMillis the time of the answering member's steady clock, in milliseconds since 1970
 * @param clusterMillis cluster time as the answering member computes it, in milliseconds since 1970
 */
public record Peer(
        Vote vote, Setup setup, HighWaterMark mark, boolean isStartMark, long steadyMillis, long clusterMillis) {
    /**
     * The settings of a member, which other members compare with their own. The range and the skew must be the same on
     * all members of a cluster. The last four decide which failures the member survives; members may differ in them
     * during a rolling restart.
     *
     * @param leaseMillis the member's lease, which must be at most {@code maxLeaseMillis} of each other member
     * @param maxLeaseMillis the longest lease that the member permits other members to have
     * @param protection the name of the split-brain protection; null for none
     * @param quorum the minimum cluster size of that protection; 0 for none
     * @param waits whether the first grants after a full restart wait
     * @param marks how many members' high-water marks must be known before the first grants; 0 if the member keeps none
     */
    public record Setup(
            String nodeIdRange,
            long leaseMillis,
            long maxLeaseMillis,
            long maxSkewMillis,
            @Nullable String protection,
            int quorum,
            boolean waits,
            int marks) {}

    private static final Form<Vote> VOTE = Form.ofRecord(
            Vote.class,
            field("listHash", Form.NUMBER),
            field("isCurrent", Form.BOOLEAN),
            field("standing", Form.oneOf("a standing", List.of(Standing.values()))),
            field("mostListed", Forms.COUNT),
            field("discardedMillis", Form.NUMBER));

    private static final Form<Setup> SETUP = Form.ofRecord(
            Setup.class,
            field("nodeIdRange", Form.NAME),
            field("leaseMillis", Forms.LEASE),
            field("maxLeaseMillis", Forms.LEASE),
            field("maxSkewMillis", Forms.LEASE),
            field("protection", Form.TEXT.nullable()),
            field("quorum", Forms.COUNT),
            field("waits", Form.BOOLEAN),
            field("marks", Forms.COUNT));

    private static final Form<HighWaterMark> MARK = Form.ofRecord(
            HighWaterMark.class,
            field("untilMillis", Form.NUMBER),
            field("writtenMillis", Form.NUMBER),
            field("state", Form.oneOf("a state", List.of(HighWaterMark.State.values()))));

    static final Form<Peer> FORM = Form.ofRecord(
            Peer.class,
            field("vote", VOTE),
            field("setup", SETUP),
            field("mark", MARK),
            field("isStartMark", Form.BOOLEAN),
            field("steadyMillis", Form.NUMBER),
            field("clusterMillis", Form.NUMBER));
}
