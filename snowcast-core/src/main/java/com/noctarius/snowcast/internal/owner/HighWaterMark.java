// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Collection;

/**
 * What a member knows of how far IDs may have been issued.
 *
 * @param untilMillis no ID was granted that lies at or above this moment, in milliseconds since 1970
 * @param writtenMillis when it was noted, in cluster time
 * @param closed whether it is all that is to be known: the last member noted it when it left in order
 */
public record HighWaterMark(long untilMillis, long writtenMillis, boolean closed) {
    /** What a member knows that was never in a cluster before. */
    public static final HighWaterMark NONE = new HighWaterMark(0, 0, false);

    /** Returns what several marks say together: the highest; but if the youngest is closed, that one. */
    public static HighWaterMark of(Collection<HighWaterMark> marks) {
        HighWaterMark youngest = NONE;
        long highest = 0;
        for (HighWaterMark mark : marks) {
            highest = Math.max(highest, mark.untilMillis);
            // Of two that were noted at the same time, an open one is of a member that may have continued.
            if (mark.writtenMillis > youngest.writtenMillis
                    || (mark.writtenMillis == youngest.writtenMillis && !mark.closed)) {
                youngest = mark;
            }
        }
        return youngest.closed ? youngest : new HighWaterMark(highest, youngest.writtenMillis, false);
    }
}
