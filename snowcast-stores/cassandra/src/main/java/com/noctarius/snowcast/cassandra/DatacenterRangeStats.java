// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;

/**
 * The ranges of a datacenter for one sequence, as this process last read or wrote them. Immutable.
 *
 * @param sequence the name of the sequence
 * @param datacenter the name of the datacenter
 * @param rangeFirst the first integer of the current range, from which processes reserve
 * @param rangeLast the last integer of the current range; one below {@code rangeFirst} while the process knows no range
 * @param remaining how many integers the processes of the datacenter can still reserve, including the next range
 * @param preloaded how many of the remaining integers are in the next range; 0 if there is no next range
 * @param integersPerSecond how many integers the datacenter uses per second: a mean in which the last hour counts most
 * @param isRateKnown whether the process has measured for a minute, the minimum for a meaningful rate
 * @param autonomy how long the remaining integers last at that rate, without the other datacenters; at most
 *     {@link IntegerSequence.Stats#ENDLESS}
 * @param suggestedRangeSize the range size that lets the datacenter continue alone for {@code minAutonomy} at that
 *     rate, even if it is cut off just before it claims the next range; at least the configured size
 * @param claims how many ranges this process has claimed for the datacenter
 * @param reservations the statistics of this process's reservations
 * @param claimsFailFor how long claims have been failing; zero if they do not fail
 * @param problem since when and why no range can be claimed; empty if claims do not fail
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
     * Returns whether the process knows the current range of the datacenter. If it does not, {@code remaining} may be 0
     * although integers are left.
     *
     * @return false until the process has read or written a current range; also false after the datacenter's row was
     *     replaced, until the new row has a range
     */
    public boolean isRangeKnown() {
        return rangeFirst <= rangeLast;
    }
}
