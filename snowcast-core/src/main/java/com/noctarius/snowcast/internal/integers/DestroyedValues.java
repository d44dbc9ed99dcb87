// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

/**
 * The high-water marks of the destroyed lives of a sequence. There are two, since ranges of a parent store never repeat, in
 * whatever order they come: a life with a parent store has to keep clear of lives without one only.
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

    /** Returns the highest of all: a life without a parent store begins above it. */
    long highest() {
        return Math.max(highestWithoutParent, highestWithParent);
    }
}
