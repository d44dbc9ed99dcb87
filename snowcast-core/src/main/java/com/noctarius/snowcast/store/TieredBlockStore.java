// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A tier in the memory of this process before another store: reserves a range there and hands out blocks of it, so that
 * many sequences of one name, or small blocks, cost few reservations. What is left of the range when the process ends is a
 * gap.
 *
 * <p>Thread-safe. A call blocks while a range is reserved for its sequence; other sequences go on.
 */
public final class TieredBlockStore implements BlockStore {
    private final BlockStore parent;
    private final long rangeSize;
    private final Map<String, Range> ranges = new ConcurrentHashMap<>();

    private static final class Range {
        /** Not a monitor: virtual threads are not to be pinned while the parent is asked. */
        final ReentrantLock lock = new ReentrantLock();
        /** What is not handed out of the range; null if nothing is. Guarded by the lock. */
        @Nullable
        Block rest;
    }

    /**
     * Puts a tier before a store.
     *
     * @param parent where ranges are reserved; it stays open when this store is closed
     * @param rangeSize how many integers a range has, 1 or more
     * @throws NullPointerException if {@code parent} is null
     * @throws IllegalArgumentException if {@code rangeSize} is less than 1
     */
    public TieredBlockStore(BlockStore parent, long rangeSize) {
        this.parent = Objects.requireNonNull(parent, "parent");
        if (rangeSize < 1) {
            throw new IllegalArgumentException("rangeSize must be >= 1: " + rangeSize);
        }
        this.rangeSize = rangeSize;
    }

    @Override
    public Block reserve(String sequence, long size) {
        Objects.requireNonNull(sequence, "sequence");
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        Range range = ranges.computeIfAbsent(sequence, name -> new Range());
        range.lock.lock();
        try {
            Block rest = range.rest;
            if (rest == null) {
                rest = parent.reserve(sequence, rangeSize);
            }
            long count = Math.min(size, rest.count());
            range.rest = count == rest.count() ? null : rest.part(count, rest.count());
            return rest.part(0, count);
        } finally {
            range.lock.unlock();
        }
    }

    @Override
    public void giveBack(String sequence, Block rest) {
        Range range = ranges.computeIfAbsent(sequence, name -> new Range());
        range.lock.lock();
        try {
            Block next = range.rest;
            if (next != null && rest.step() == next.step() && rest.last() == next.first() - next.step()) {
                range.rest = new Block(rest.first(), rest.count() + next.count(), next.step());
            }
        } finally {
            range.lock.unlock();
        }
    }

    /** Gives back what is left of the ranges. The parent stays open. */
    @Override
    public void close() {
        ranges.forEach((sequence, range) -> {
            range.lock.lock();
            try {
                Block rest = range.rest;
                range.rest = null;
                if (rest != null) {
                    parent.giveBack(sequence, rest);
                }
            } finally {
                range.lock.unlock();
            }
        });
    }

    @Override
    public String toString() {
        return "TieredBlockStore{rangeSize=" + rangeSize + ", parent=" + parent + '}';
    }
}
