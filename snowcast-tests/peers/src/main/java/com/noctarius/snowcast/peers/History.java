// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.util.List;

/**
 * What a run has recorded. All times are nanoseconds of one clock.
 *
 * @param begin of the run
 * @param end of the run
 * @param processes all that took IDs
 * @param faults all that happened, in their order
 */
record History(long begin, long end, List<Caller> processes, List<Span> faults) {
    /**
     * A process.
     *
     * @param name its name; more than one may have it
     * @param place where it ran, or {@link Node#NO_PLACE}
     * @param isOfCrowd whether its IDs are compared with those of crowds only
     * @param end when it was killed
     * @param calls in their order
     */
    record Caller(String name, int place, boolean isOfCrowd, long end, List<Call> calls) {}

    /**
     * A fault.
     *
     * @param fault its kind
     * @param detail what and whom it hit
     * @param begin when it began
     * @param end when it was over
     * @param waiting the indexes of the processes that were to continue after it
     */
    record Span(Fault fault, String detail, long begin, long end, List<Integer> waiting) {}
}
