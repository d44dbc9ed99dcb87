// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The counts and the current state of a {@link NodeLease}. The counts never decrease. The values are read one after
 * another, not atomically.
 *
 * @param state Attached; Detached after the lease was closed or its {@code HazelcastInstance} was shut down; or
 *     Destroyed
 * @param nodeId the node ID; empty if the lease is not Attached, or is acquiring another node ID
 * @param lease the duration of the lease, counted from the grant or the last renewal; zero if there is no node ID
 * @param leaseRemaining how much of the lease is left, by this process's clock; zero if there is no node ID or the
 *     lease has expired
 * @param problem why there is no node ID, since when and why the lease cannot be renewed, or how far this process's
 *     clock is ahead of the time that IDs may have, or behind the IDs that were returned; empty if nothing is wrong
 * @param waitCount how often calls of the guarded generator had to wait
 * @param waitTime how long these calls waited in total
 * @param renewalCount renewals of the lease
 * @param renewalFailureCount failed renewals: no answer came in time, or the answer did not extend the lease
 * @param leaseLossCount how often the node ID was lost, because the cluster no longer had the grant or was replaced by
 *     another cluster, or because the generator's IDs were ahead of the clock; the lease then acquires another node ID
 *     by itself
 */
public record NodeLeaseStats(
        SnowcastSequenceState state,
        OptionalInt nodeId,
        Duration lease,
        Duration leaseRemaining,
        String problem,
        long waitCount,
        Duration waitTime,
        long renewalCount,
        long renewalFailureCount,
        long leaseLossCount) {}
