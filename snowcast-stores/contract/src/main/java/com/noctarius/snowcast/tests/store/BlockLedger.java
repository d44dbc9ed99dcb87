// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.Block;
import java.util.BitSet;

/**
 * Every integer that a process got. An integer that comes twice, or out of range, is an {@link AssertionError}.
 * Thread-safe.
 */
public final class BlockLedger {
    private final long first;
    private final long last;
    private final BitSet seen = new BitSet();

    /**
     * Begins without an integer.
     *
     * @param first the lowest that may come
     * @param last the highest that may come, at most {@code first} + 1,000,000,000
     */
    public BlockLedger(long first, long last) {
        if (first < 0 || last < first || last - first > 1_000_000_000) {
            throw new IllegalArgumentException(
                    "first must be >= 0, last at least that and at most 1,000,000,000 more: " + first + ", " + last);
        }
        this.first = first;
        this.last = last;
    }

    /**
     * Enters all integers of a block.
     *
     * @param block what a process got, and will use
     * @throws AssertionError if one of them was entered before, or is out of range
     */
    public synchronized void add(Block block) {
        if (block.first() < first || block.last() > last) {
            throw new AssertionError(block + " is not within " + first + " to " + last);
        }
        for (long i = 0; i < block.count(); i++) {
            int bit = (int) (block.at(i) - first);
            if (seen.get(bit)) {
                throw new AssertionError(block.at(i) + " of " + block + " came twice");
            }
            seen.set(bit);
        }
    }

    /**
     * Says how many integers were entered.
     *
     * @return 0 or more
     */
    public synchronized long count() {
        return seen.cardinality();
    }

    /**
     * Checks that every integer of the range was entered.
     *
     * @throws AssertionError if one is missing
     */
    public synchronized void requireAll() {
        int missing = seen.nextClearBit(0);
        if (first + missing <= last) {
            throw new AssertionError((last - first + 1 - seen.cardinality())
                    + " integers never came, the lowest of them " + (first + missing));
        }
    }
}
