// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** Where the counter starts when a sequencer that was idle moves to a new millisecond. */
public enum CounterStart {
    /** Always at 0. At a low rate most IDs then end in the same bits. */
    ZERO,
    /**
     * At random, over the whole counter. At a low rate the low bits of IDs are then spread evenly, which spreads
     * {@code id % n}, and the next ID is harder to guess. IDs stay strictly increasing: those that follow each other in
     * one millisecond differ by one, and a burst that begins near the end of the counter waits for the rest of the
     * millisecond.
     *
     * <p>Shortly after a millisecond in which more than 1/64 of the counter was used, the counter starts at random in
     * its lower half. A busy sequencer that runs over into the next millisecond starts there at 0. So no throughput is
     * lost.
     */
    RANDOM
}
