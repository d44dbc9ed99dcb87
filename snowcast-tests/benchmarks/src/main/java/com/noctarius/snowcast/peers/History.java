// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.util.List;

/** The recording of a run. All times are nanoseconds of one clock. */
record History(long begin, long end, List<Caller> processes, List<Span> faults) {
    /**
     * A process.
     *
     * @param name its name, which several processes may have
     * @param place the place at which it ran, or {@link Node#NO_PLACE}
     * @param isOfCrowd whether its IDs are compared with those of crowds only
     * @param end when it was killed
     */
    record Caller(String name, int place, boolean isOfCrowd, long end, List<Call> calls) {}

    /**
     * A fault.
     *
     * @param detail more about the fault, such as the process that had it
     * @param waiting the indexes of the processes that should get IDs after the fault
     */
    record Span(Fault fault, String detail, long begin, long end, List<Integer> waiting) {}
}
