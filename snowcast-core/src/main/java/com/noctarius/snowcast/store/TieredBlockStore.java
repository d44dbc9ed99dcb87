// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** See {@link BlockStore#tiered}. Thread-safe; a call blocks while a range is reserved for its sequence. */
final class TieredBlockStore implements BlockStore {
    private static final System.Logger LOGGER = System.getLogger(BlockStore.class.getName());

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

    TieredBlockStore(BlockStore parent, long rangeSize) {
        this.parent = Objects.requireNonNull(parent, "parent");
        if (rangeSize < 1) {
            throw new IllegalArgumentException("rangeSize must be >= 1: " + rangeSize);
        }
        this.rangeSize = rangeSize;
    }

    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        Range range = ranges.computeIfAbsent(sequence, name -> new Range());
        range.lock.lock();
        try {
            Block rest = range.rest == null ? parent.reserve(sequence, rangeSize) : range.rest;
            long count = Math.min(size, rest.count());
            range.rest = count == rest.count() ? null : rest.part(count, rest.count());
            return rest.part(0, count);
        } finally {
            range.lock.unlock();
        }
    }

    @Override
    public void prepare(String sequence, long firstValue) {
        parent.prepare(sequence, firstValue);
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

    /** Gives back what is left of the ranges; what the parent fails to take is a gap. */
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
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "sequence " + sequence + ": a range was not given back: " + e);
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
