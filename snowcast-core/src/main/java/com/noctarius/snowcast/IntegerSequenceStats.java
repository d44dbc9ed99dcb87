// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;

/**
 * The counts and the current state of an {@link IntegerSequence} instance. The counts never decrease.
 *
 * @param issuedCount integers that were issued
 * @param remaining how many integers can be issued without calling the store
 * @param timeToEmpty how long the remaining integers last at the current rate; zero if there are none, and
 *     {@link #ENDLESS} if the rate is zero
 * @param blockSize how many integers the next reservation will request
 * @param reservationCount blocks that were reserved
 * @param failureCount reservations that failed
 * @param waitCount how often calls had to wait for a block; the asynchronous calls of an instance wait together and
 *     count as one
 * @param waitTime how long these waits took in total
 * @param problem since when and why reservations fail, or why the sequence is closed; empty if nothing is wrong
 * @param isExhausted whether the last reservation failed because the store gives no more integers up to the last value;
 *     false if the sequence is closed. This process still issues its reserved integers, after which its calls fail
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
    /** The {@link #timeToEmpty()} of a sequence that has integers left and is not used. */
    public static final Duration ENDLESS = Duration.ofNanos(Long.MAX_VALUE);
}
