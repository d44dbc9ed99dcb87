// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Collection;

/**
 * A high-water mark: an upper bound of the times of all IDs of the grants that a member knew when it wrote the mark.
 *
 * @param untilMillis the bound, in milliseconds since 1970: each of these grants ends at this moment or before
 * @param writtenMillis when the member wrote the mark, in cluster time; but later than all former marks that it knew
 * @param closed whether the mark is final, because the last member of the cluster wrote it during a graceful shutdown
 */
public record HighWaterMark(long untilMillis, long writtenMillis, boolean closed) {
    /** The mark of a member that has written none. */
    public static final HighWaterMark NONE = new HighWaterMark(0, 0, false);

    /**
     * Combines the marks of several members: returns the mark that was written last if it is closed, otherwise an open
     * mark with the highest bound.
     */
    public static HighWaterMark of(Collection<HighWaterMark> marks) {
        HighWaterMark youngest = NONE;
        long highest = 0;
        for (HighWaterMark mark : marks) {
            highest = Math.max(highest, mark.untilMillis);
            // If two marks were written at the same time, an open one counts, because its member may have continued.
            if (mark.writtenMillis > youngest.writtenMillis
                    || (mark.writtenMillis == youngest.writtenMillis && !mark.closed)) {
                youngest = mark;
            }
        }
        return youngest.closed ? youngest : new HighWaterMark(highest, youngest.writtenMillis, false);
    }
}
