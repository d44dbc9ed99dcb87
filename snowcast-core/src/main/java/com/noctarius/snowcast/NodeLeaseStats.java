// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a {@link NodeLease} has done so far, and how it is at present. The counts never decrease. They are read one
 * after another, not in one instant.
 *
 * @param state Attached; Detached once it was closed; Destroyed
 * @param nodeId the node ID; empty if it is not Attached, or attaches to another one at the moment
 * @param lease how much time a grant or an extension gives, from then; zero if there is no node ID
 * @param leaseRemaining how much of that is left, by this process's clock; zero if there is no node ID or it has ended
 * @param problem why there is no node ID, or since when and why the lease cannot be extended; empty if nothing is wrong
 * @param waitCount how often calls of the guarded generator were parked
 * @param waitTime how long they were parked, all together
 * @param extensionCount extensions of the lease
 * @param extensionFailureCount extensions that were asked for and failed: no answer, or one that came too late
 * @param leaseLossCount how often the node ID was lost, because the cluster did not know the grant any more or became
 *     another one; the lease then attaches to another node ID by itself
 */
public record NodeLeaseStats(
        SnowcastSequenceState state,
        OptionalInt nodeId,
        Duration lease,
        Duration leaseRemaining,
        String problem,
        long waitCount,
        Duration waitTime,
        long extensionCount,
        long extensionFailureCount,
        long leaseLossCount) {}
