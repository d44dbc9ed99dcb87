// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** In which order the IDs of one sequencer instance come. */
public enum Ordering {
    /** A call that starts after another has returned gets the greater ID. */
    STRICT,
    /**
     * A call that starts after another has returned gets an ID of the same or a later millisecond. Threads that call
     * {@code next()} draw short runs of the present millisecond's IDs and then hardly meet each other. What is left of
     * a run when its millisecond is over is lost, so a saturated sequencer issues fewer IDs.
     */
    RELAXED
}
