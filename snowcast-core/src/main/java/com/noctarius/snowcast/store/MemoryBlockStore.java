// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store in the memory of one process, for tests and for sequences that need not outlive the process. Every instance
 * starts at the first integer.
 *
 * <p>Thread-safe; does not block.
 */
public final class MemoryBlockStore implements BlockStore {
    private final Block all;
    /** The number of reserved integers by sequence. */
    private final Map<String, AtomicLong> reservedCounts = new ConcurrentHashMap<>();

    /** Makes a store for the integers from 1 to {@code Long.MAX_VALUE}. */
    public MemoryBlockStore() {
        this(1, Long.MAX_VALUE);
    }

    /**
     * Makes a store.
     *
     * @param first the lowest integer of every sequence, 0 or more
     * @param last the highest integer of every sequence, at least {@code first}
     * @throws IllegalArgumentException if a value is out of range, or there would be more than {@code Long.MAX_VALUE}
     *     integers
     */
    public MemoryBlockStore(long first, long last) {
        this.all = Block.of(first, last);
    }

    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        AtomicLong reservedCount = reservedCounts.computeIfAbsent(sequence, name -> new AtomicLong());
        long from = reservedCount.getAndUpdate(before -> before + Math.min(size, all.count() - before));
        if (from == all.count()) {
            throw new BlockStoreExhaustedException(
                    "sequence " + sequence + ": the last integer is " + all.last() + " in " + this);
        }
        return all.part(from, from + Math.min(size, all.count() - from));
    }

    @Override
    public void prepare(String sequence, long firstValue) {
        if (firstValue > all.first()) {
            throw new NonTransientBlockStoreException("sequence " + sequence + ": the first integer is " + all.first()
                    + " in " + this + ", and must be " + firstValue + " or above");
        }
    }

    @Override
    public void giveBack(String sequence, Block rest) {
        AtomicLong reservedCount = reservedCounts.get(sequence);
        if (reservedCount != null) {
            reservedCount.compareAndSet(rest.last() - all.first() + 1, rest.first() - all.first());
        }
    }

    @Override
    public String toString() {
        return "MemoryBlockStore{" + all.first() + " to " + all.last() + '}';
    }
}
