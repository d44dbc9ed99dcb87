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
     * <p>A busy sequencer loses no throughput. A millisecond is busy if it had more than one ID and used more than 1/64
     * of the counter's range. Within 20 milliseconds after a busy one, the counter starts at a random value of the
     * lower half, so at least half of the range is left. If the rest of the range is not enough, the IDs continue in
     * the next millisecond, where the counter starts at 0.
     */
    RANDOM
}
