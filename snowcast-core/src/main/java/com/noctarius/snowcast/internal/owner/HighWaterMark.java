// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Collection;

/**
 * A high-water mark: a member's upper bound of the times of issued IDs.
 *
 * @param untilMillis no granted ID lies at or above this moment, in milliseconds since 1970
 * @param writtenMillis when it was noted, in cluster time
 * @param closed whether it is final: the last member wrote it during a graceful shutdown
 */
public record HighWaterMark(long untilMillis, long writtenMillis, boolean closed) {
    /** The mark of a member that was never in a cluster before. */
    public static final HighWaterMark NONE = new HighWaterMark(0, 0, false);

    /** Combines several marks: returns the highest, or, if the youngest is closed, the youngest. */
    public static HighWaterMark of(Collection<HighWaterMark> marks) {
        HighWaterMark youngest = NONE;
        long highest = 0;
        for (HighWaterMark mark : marks) {
            highest = Math.max(highest, mark.untilMillis);
            // If two were written at the same time, an open one belongs to a member that may have continued.
            if (mark.writtenMillis > youngest.writtenMillis
                    || (mark.writtenMillis == youngest.writtenMillis && !mark.closed)) {
                youngest = mark;
            }
        }
        return youngest.closed ? youngest : new HighWaterMark(highest, youngest.writtenMillis, false);
    }
}
