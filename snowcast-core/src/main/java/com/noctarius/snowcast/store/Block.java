// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * A block of integers that belongs to the process that reserved it: {@code count} integers, {@code first, first + step,
 * …}.
 *
 * @param first the lowest, 0 or more
 * @param count how many, 1 or more
 * @param step the distance between two neighbours, 1 or more; above 1 only in stores that interleave blocks
 */
public record Block(long first, long count, long step) {
    /**
     * Checks the values.
     *
     * @param first the lowest, 0 or more
     * @param count how many, 1 or more
     * @param step the distance between two neighbours, 1 or more
     * @throws IllegalArgumentException if one is out of range, or the highest integer is above {@code Long.MAX_VALUE}
     */
    public Block {
        if (first < 0 || count < 1 || step < 1) {
            throw new IllegalArgumentException(
                    "first must be >= 0, count and step >= 1: " + first + ", " + count + ", " + step);
        }
        if ((Long.MAX_VALUE - first) / step < count - 1) {
            throw new IllegalArgumentException("the last integer must be <= " + Long.MAX_VALUE + ": first " + first
                    + ", count " + count + ", step " + step);
        }
    }

    /**
     * {@return a block of consecutive integers, with step 1}
     *
     * @param first the lowest, 0 or more
     * @param last the highest, at least {@code first}
     * @throws IllegalArgumentException if the values are out of range, or the block would have more than
     *     {@code Long.MAX_VALUE} integers
     */
    public static Block of(long first, long last) {
        if (first < 0 || last < first || last - first == Long.MAX_VALUE) {
            throw new IllegalArgumentException("first must be >= 0 and last >= first: " + first + ", " + last);
        }
        return new Block(first, last - first + 1, 1);
    }

    /** {@return the highest integer} */
    public long last() {
        return first + (count - 1) * step;
    }

    /**
     * {@return the integer at a position} The position is not checked.
     *
     * @param index 0 to {@link #count()} - 1
     */
    public long at(long index) {
        return first + index * step;
    }

    /**
     * {@return a part of this block}
     *
     * @param fromIndex the first position
     * @param toIndex the position after the last
     * @throws IllegalArgumentException if the range is empty or not within this block
     */
    public Block part(long fromIndex, long toIndex) {
        if (fromIndex < 0 || toIndex > count || fromIndex >= toIndex) {
            throw new IllegalArgumentException(
                    "must be a part of 0 to " + count + ", not empty: " + fromIndex + " to " + toIndex);
        }
        return new Block(at(fromIndex), toIndex - fromIndex, step);
    }
}
