// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a {@link SnowcastSequencer} instance has done so far, and how it is at present. The counts belong to the instance:
 * they go on over detach and attach and never decrease. They are read one after another, not in one instant.
 *
 * @param state the present state
 * @param logicalNodeId the logical node; empty if it is not Attached, or attaches to another one at the moment
 * @param lease what the cluster granted or extended last, from then; zero if there is no logical node
 * @param leaseRemaining how long IDs can be generated without the cluster; zero if there is no logical node or the granted
 *     time is used up
 * @param problem why there is no logical node, or since when and why the lease cannot be extended; empty if nothing is wrong
 * @param issuedCount IDs that calls returned
 * @param waitCount how often a call was parked: for the next millisecond, or for the lease
 * @param waitTime how long calls were parked, all together
 * @param extensionCount extensions of the lease
 * @param extensionFailureCount extensions that were asked for and failed: no answer, or one that came too late
 * @param refusalCount how often the logical node was lost and another one was attached to by itself
 */
public record SequencerStats(
        SnowcastSequenceState state,
        OptionalInt logicalNodeId,
        Duration lease,
        Duration leaseRemaining,
        String problem,
        long issuedCount,
        long waitCount,
        Duration waitTime,
        long extensionCount,
        long extensionFailureCount,
        long refusalCount) {}
