// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.Block;
import java.util.BitSet;

/**
 * A record of all integers that the processes of a test have reserved. It throws an {@link AssertionError} for an
 * integer that was reserved twice or is out of range. Thread-safe.
 */
public final class BlockLedger {
    private final long first;
    private final long last;
    private final BitSet seen = new BitSet();

    /**
     * Creates an empty ledger.
     *
     * @param first the lowest integer of the range
     * @param last the highest integer of the range, at most {@code first} + 1,000,000,000
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
     * Records all integers of a block.
     *
     * @param block the block that a process has reserved
     * @throws AssertionError if one of its integers was recorded before, or is out of range
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
     * Returns how many integers were recorded.
     *
     * @return 0 or more
     */
    public synchronized long count() {
        return seen.cardinality();
    }

    /**
     * Checks that all integers of the range were recorded.
     *
     * @throws AssertionError if an integer is missing
     */
    public void requireAll() {
        requireAllBut(0);
    }

    /**
     * Checks that at most some integers of the range were not recorded.
     *
     * @param missing how many integers may be missing, for example because calls without an answer have reserved them
     * @throws AssertionError if more integers are missing
     */
    public synchronized void requireAllBut(long missing) {
        long all = last - first + 1 - seen.cardinality();
        if (all > missing) {
            throw new AssertionError(all + " integers never came, the lowest of them " + (first + seen.nextClearBit(0))
                    + "; calls without an answer explain at most " + missing);
        }
    }
}
