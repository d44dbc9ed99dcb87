// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The counts and the current state of a {@link SnowcastSequencer} instance. The counts never decrease; detaching and
 * attaching do not reset them. The values are read one after another, not atomically.
 *
 * @param state the present state
 * @param logicalNodeId the node ID; empty if the sequencer is not Attached, or is acquiring another node ID
 * @param lease the duration of the lease, counted from the grant or the last renewal; for a
 *     {@linkplain SnowcastSystem#standaloneSequencer standalone sequencer}, how long the time of its layout lasts in
 *     total; zero if there is no node ID
 * @param leaseRemaining how long IDs can be generated without the cluster, by this process's clock; for a standalone
 *     sequencer, how much of the layout's time is left; zero if there is no node ID or the lease has expired
 * @param problem why there is no node ID, since when and why the lease cannot be renewed, that the time of the layout
 *     is used up, or how far this process's clock is ahead of the time that IDs may have, or behind the IDs that were
 *     issued; empty if nothing is wrong
 * @param issuedCount IDs that calls returned, including those of a batch that failed half-way. The count is exact when
 *     no call is running; otherwise it may include IDs that a call is about to return. An ID that a failed call lost is
 *     not counted. If statistics that were read during that call included the ID, the next ID does not increase the
 *     count.
 * @param waitCount how often calls were parked to wait for the next millisecond, the lease, or another node ID
 * @param waitTime how long calls were parked in total; each wait is added when it ends
 * @param renewalCount renewals of the lease
 * @param renewalFailureCount failed renewals: no answer came in time, or the answer did not extend the lease
 * @param leaseLossCount how often the node ID was lost, because the cluster no longer had the grant, or was replaced by
 *     another cluster; the sequencer then acquires another node ID by itself
 * @param timeRemaining how long the time of the layout lasts, by this process's clock; zero if it is used up
 * @param positiveRemaining how long IDs remain positive as a {@code long}, by this process's clock; empty if they never
 *     turn negative, or are negative already
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
        long renewalCount,
        long renewalFailureCount,
        long leaseLossCount,
        Duration timeRemaining,
        Optional<Duration> positiveRemaining) {}
