// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;

/**
 * The ranges of a sequence that a datacenter has, as a process saw them when it last reserved a block, and how long
 * they last without the other datacenters.
 *
 * @param sequence the name of the sequence
 * @param datacenter the name of the datacenter
 * @param rangeFirst the first integer of the range that processes reserve from
 * @param rangeLast the last integer of that range; one below the first while the process knows of no range
 * @param remaining how many integers are left for the processes of the datacenter, the next range included
 * @param preloaded how many of these are in the next range; 0 if there is none
 * @param integersPerSecond how many integers the datacenter uses at present: a mean in which the last hour counts most
 * @param isRateKnown whether the process has watched for a minute, the least for a meaningful rate
 * @param autonomy how long the remaining integers last at that rate; at most {@link IntegerSequenceStats#ENDLESS}
 * @param suggestedRangeSize the size of ranges that last as long as {@code minAutonomy} at that rate; never below the
 *     size that is set
 * @param claims ranges that this process has claimed for the datacenter
 * @param reservations how reservations of this process fared
 * @param claimsFailFor for how long no range could be claimed; zero if nothing is wrong
 * @param problem since when and why no range can be claimed; empty if nothing is wrong
 */
public record DatacenterRangeStats(
        String sequence,
        String datacenter,
        long rangeFirst,
        long rangeLast,
        long remaining,
        long preloaded,
        double integersPerSecond,
        boolean isRateKnown,
        Duration autonomy,
        long suggestedRangeSize,
        long claims,
        ReservationStats reservations,
        Duration claimsFailFor,
        String problem) {
    /**
     * Returns whether the process has seen a range of the datacenter, so that {@code remaining} means something.
     *
     * @return false before the first reservation that was answered
     */
    public boolean isRangeKnown() {
        return rangeFirst <= rangeLast;
    }
}
