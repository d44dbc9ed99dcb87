// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;

/**
 * What an {@link IntegerSequence} instance has done so far, and how it is at present. Counts never decrease.
 *
 * @param issuedCount integers that were handed out
 * @param remaining how many can be had without the store
 * @param timeToEmpty how long these last at the present rate; zero if there are none, and {@link #ENDLESS} if none are
 *     used
 * @param blockSize how many integers the next reservation asks for
 * @param reservationCount blocks that were reserved
 * @param failureCount reservations that failed
 * @param waitCount calls that had to wait for a block
 * @param waitTime how long they waited, all together
 * @param problem since when and why nothing can be reserved; empty if nothing is wrong
 * @param isExhausted whether the store has no integer left, so that calls fail permanently when the reserved ones are
 *     used, in all processes
 */
public record IntegerSequenceStats(
        long issuedCount,
        long remaining,
        Duration timeToEmpty,
        long blockSize,
        long reservationCount,
        long failureCount,
        long waitCount,
        Duration waitTime,
        String problem,
        boolean isExhausted) {
    /** The time to empty of a sequence that is not used. */
    public static final Duration ENDLESS = Duration.ofNanos(Long.MAX_VALUE);
}
