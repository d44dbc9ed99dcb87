// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** Where the counter starts when a sequencer that was idle moves to a new millisecond. */
public enum CounterStart {
    /** Always at 0. At a low rate most IDs then end in the same bits. */
    ZERO,
    /**
     * At random in the lower half of the counter. At a low rate the low bits are then spread evenly, which spreads
     * {@code id % n}, and the next ID is harder to guess. A busy sequencer that runs over into the next millisecond
     * starts there at 0, so no throughput is lost. IDs stay strictly increasing.
     */
    RANDOM
}
