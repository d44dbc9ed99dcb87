// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import com.noctarius.snowcast.store.Block;
import java.util.List;

/**
 * What destroyed lives of a sequence have handed out, at most. Ranges of a parent store never repeat, in whatever order they
 * come, so they have to keep clear of lives without a parent store only.
 *
 * @param highestWithoutParent of lives without a parent store; -1 if there was none
 * @param highestWithParent of lives with one; -1 if there was none
 */
public record DestroyedValues(long highestWithoutParent, long highestWithParent) {
    static final DestroyedValues NONE = new DestroyedValues(-1, -1);

    DestroyedValues with(long highest, boolean hasParent) {
        return with(hasParent ? new DestroyedValues(-1, highest) : new DestroyedValues(highest, -1));
    }

    DestroyedValues with(DestroyedValues other) {
        return new DestroyedValues(
                Math.max(highestWithoutParent, other.highestWithoutParent),
                Math.max(highestWithParent, other.highestWithParent));
    }

    /** Returns the highest of all. */
    long highest() {
        return Math.max(highestWithoutParent, highestWithParent);
    }

    /** Returns the lowest integer that a life without a parent store may hand out. */
    long above() {
        return next(highest());
    }

    /** Returns the lowest integer of a range that may be handed out. */
    long aboveForRanges() {
        return next(highestWithoutParent);
    }

    /** There is no integer above the highest of all: the number itself is above the last value of any sequence but one. */
    private static long next(long highest) {
        return highest == Long.MAX_VALUE ? highest : highest + 1;
    }

    /** Returns all that may have been handed out. */
    List<Block> all() {
        return above() == 0 ? List.of() : List.of(new Block(0, above(), 1));
    }
}
