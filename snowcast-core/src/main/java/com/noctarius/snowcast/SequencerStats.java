// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a {@link SnowcastSequencer} instance has done so far, and how it is at present. The counts belong to the
 * instance: they continue over detach and attach and never decrease. They are read one after another, not in one
 * instant.
 *
 * @param state the present state
 * @param logicalNodeId the node ID; empty if it is not Attached, or attaches to another one at the moment
 * @param lease how much time a grant or an extension gives, from then; without a cluster, that of the layout; zero if
 *     there is no node ID
 * @param leaseRemaining how long IDs can be generated without the cluster, by this process's clock; without a cluster,
 *     what is left of the layout's time; zero if there is no node ID or the granted time is used up
 * @param problem why there is no node ID, since when and why the lease cannot be extended, or that the time of the
 *     layout is used up; empty if nothing is wrong
 * @param issuedCount IDs that calls returned, and those of a batch that failed half-way. Exact when no call is under
 *     way; meanwhile IDs that are about to be returned may be counted already. One that a call lost when it failed is
 *     not counted, unless the count was read in the instant in which the call took it; the next ID then evens it out.
 * @param waitCount how often calls were parked: for the next millisecond, for the lease, or for another node ID
 * @param waitTime how long calls were parked, in sum; a call counts when it continues
 * @param extensionCount extensions of the lease
 * @param extensionFailureCount failed extensions: no answer, or one that came too late
 * @param leaseLossCount how often the node ID was lost, because the cluster no longer had the grant, or was replaced by
 *     another cluster; the sequencer then attaches to another node ID by itself
 * @param counterStart where the counter starts, as this instance was created with
 * @param timeRemaining how long the time of the layout lasts, by this process's clock; zero if it is used up
 * @param positiveRemaining how long IDs are positive as a {@code long}, by this process's clock; empty if they never
 *     turn negative, or already have
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
        long leaseLossCount,
        CounterStart counterStart,
        Duration timeRemaining,
        Optional<Duration> positiveRemaining) {}
