// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Collection;
import java.util.List;

/**
 * A high-water mark: an upper bound of the times of all IDs of the grants that a member knew when it wrote the mark.
 *
 * @param untilMillis the bound, in milliseconds since 1970: each of these grants ends at this moment or before
 * @param writtenMillis when the member reserved or closed the mark, in cluster time; but later than all former marks
 *     that it knew
 */
public record HighWaterMark(long untilMillis, long writtenMillis, State state) {
    /** The mark of a member that has written none. */
    public static final HighWaterMark NONE = new HighWaterMark(0, 0, State.OPEN);

    /** How the member of a mark has left its cluster. */
    public enum State {
        /** It has not left in order: it is running, or has crashed. */
        OPEN,
        /** It has handed all its partitions over to members that stayed. Their marks cover its grants from then on. */
        HANDED_OVER,
        /** It was the last member, and has lowered the mark to the end of all grants. */
        CLOSED
    }

    /**
     * Combines the marks of several members: the highest one counts, but a mark that was handed over counts only if no
     * mark was closed after it. A closed mark outweighs neither an open nor another closed mark, even an older one:
     * that mark's member may have made grants on another side of a split.
     */
    public static HighWaterMark of(Collection<HighWaterMark> marks) {
        long closedMillis = marks.stream()
                .filter(mark -> mark.state == State.CLOSED)
                .mapToLong(HighWaterMark::writtenMillis)
                .max()
                .orElse(-1);
        List<HighWaterMark> counting = marks.stream()
                .filter(mark -> mark.state != State.HANDED_OVER || mark.writtenMillis > closedMillis)
                .toList();
        long until = counting.stream().mapToLong(HighWaterMark::untilMillis).reduce(0, Math::max);
        long written = marks.stream().mapToLong(HighWaterMark::writtenMillis).reduce(0, Math::max);
        // Marks of different states together count like an open one: they outweigh no other mark, and none outweighs
        // them.
        List<State> states = counting.stream()
                .filter(mark -> !mark.equals(NONE))
                .map(HighWaterMark::state)
                .distinct()
                .toList();
        return new HighWaterMark(until, written, states.size() == 1 ? states.get(0) : State.OPEN);
    }
}
