// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A store in the memory of one process, for tests and for sequences that live no longer than the process. Every
 * instance begins anew.
 *
 * <p>Thread-safe; does not block.
 */
public final class MemoryBlockStore implements BlockStore {
    private final Block all;
    /** What is not reserved of each sequence; empty when it is used up. */
    private final Map<String, Optional<Block>> restBySequence = new ConcurrentHashMap<>();

    /** Makes a store for the integers from 1 to {@code Long.MAX_VALUE}. */
    public MemoryBlockStore() {
        this(1, Long.MAX_VALUE);
    }

    /**
     * Makes a store.
     *
     * @param first the lowest integer of every sequence, 0 or more
     * @param last the highest integer of every sequence, at least {@code first}
     * @throws IllegalArgumentException if a value is out of range
     */
    public MemoryBlockStore(long first, long last) {
        this.all = Block.of(first, last);
    }

    @Override
    public Block reserve(String sequence, long size) {
        Objects.requireNonNull(sequence, "sequence");
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        AtomicReference<Block> reserved = new AtomicReference<>();
        restBySequence.compute(sequence, (name, known) -> {
            Block rest = (known == null ? Optional.of(all) : known).orElseThrow(() -> usedUp(name));
            long count = Math.min(size, rest.count());
            reserved.set(rest.part(0, count));
            return count == rest.count() ? Optional.empty() : Optional.of(rest.part(count, rest.count()));
        });
        return Objects.requireNonNull(reserved.get());
    }

    private BlockStoreExhaustedException usedUp(String sequence) {
        return new BlockStoreExhaustedException(
                "sequence " + sequence + ": the last integer is " + all.last() + " in " + this);
    }

    @Override
    public void giveBack(String sequence, Block rest) {
        restBySequence.computeIfPresent(sequence, (name, known) -> {
            long next = known.map(Block::first).orElse(all.last() + 1);
            return rest.last() + 1 == next ? Optional.of(Block.of(rest.first(), all.last())) : known;
        });
    }

    @Override
    public String toString() {
        return "MemoryBlockStore{" + all.first() + " to " + all.last() + '}';
    }
}
