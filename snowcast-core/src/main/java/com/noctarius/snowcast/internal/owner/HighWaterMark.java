// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Collection;

/**
 * A high-water mark: an upper bound of the times of all IDs of the grants that a member knew when it wrote the mark.
 *
 * @param untilMillis the bound, in milliseconds since 1970: each of these grants ends at this moment or before
 * @param writtenMillis when the member wrote the mark, in cluster time; but later than all former marks that it knew
 * @param closed whether the member left its cluster in order: it has handed all its partitions over to members that
 *     stayed, or was the last member and has lowered the mark to the end of all grants
 */
public record HighWaterMark(long untilMillis, long writtenMillis, boolean closed) {
    /** The mark of a member that has written none. */
    public static final HighWaterMark NONE = new HighWaterMark(0, 0, false);

    /**
     * Combines the marks of several members: returns the highest of all open marks and of the closed mark that was
     * written last. That mark outweighs the other closed ones, because its member knew their grants. It outweighs no
     * open mark, even an older one: that mark's member may have made grants on another side of a split.
     */
    public static HighWaterMark of(Collection<HighWaterMark> marks) {
        long open = 0;
        long written = 0;
        HighWaterMark closed = NONE;
        for (HighWaterMark mark : marks) {
            written = Math.max(written, mark.writtenMillis);
            if (!mark.closed) {
                open = Math.max(open, mark.untilMillis);
            } else if (mark.writtenMillis > closed.writtenMillis
                    || (mark.writtenMillis == closed.writtenMillis && mark.untilMillis > closed.untilMillis)) {
                closed = mark;
            }
        }
        return new HighWaterMark(Math.max(open, closed.untilMillis), written, closed.closed && open == 0);
    }
}
