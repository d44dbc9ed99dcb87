// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** The value at which the counter of an ID starts when an idle sequencer moves to a new millisecond. */
public enum CounterStart {
    /** The counter always starts at 0. At a low rate most IDs then end in the same bits. */
    ZERO,
    /**
     * The counter starts at a random value of its whole range. At a low rate this distributes {@code id % n} evenly,
     * and makes the next ID harder to guess. IDs stay strictly increasing, because from there the counter increases by
     * one per ID. A burst that begins near the end of the counter's range has to wait for the next millisecond.
     *
     * <p>A busy sequencer loses no throughput: its counter starts in the lower half of the range, and IDs that do not
     * fit into the rest of the range continue in the next millisecond, where the counter starts at 0.
     */
    RANDOM
}
