// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.lang.System.Logger.Level;
import java.util.Objects;

/** The store of one sequence: checks its blocks against the configuration, and logs failures to take blocks back. */
final class CheckedStore {
    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());

    private final IntegerSequenceConfig config;
    private final BlockStore store;
    private volatile boolean isPrepared;

    CheckedStore(IntegerSequenceConfig config, BlockStore store) {
        this.config = config;
        this.store = store;
    }

    BlockStore unchecked() {
        return store;
    }

    /**
     * Fails if the store rejects this sequence by a {@link NonTransientBlockStoreException}. Only logs any other
     * exception, such as that of an unreachable store.
     */
    void prepare() {
        try {
            store.prepare(config.name(), config.firstValue());
        } catch (NonTransientBlockStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING, "integer sequence " + config.name() + ": not known whether the store has it: " + e);
        }
        isPrepared = true;
    }

    /** Returns whether {@link #prepare} has returned without an exception. */
    boolean isPrepared() {
        return isPrepared;
    }

    /**
     * Reserves a block and cuts it off at the last value. If the block begins out of range, gives it back and fails.
     */
    Block reserve(long size) {
        String name = config.name();
        Block block = Objects.requireNonNull(
                store.reserve(name, size), () -> "no block for sequence " + name + ": reserve() must not return null");
        if (block.first() < config.firstValue()) {
            giveBack(block);
            throw new NonTransientBlockStoreException("sequence " + name + ": " + store + " must begin at "
                    + config.firstValue() + " or above, and gave " + block);
        }
        if (block.first() > config.lastValue()) {
            // A retry may succeed: a store of several shards may have lower integers left.
            giveBack(block);
            throw new BlockStoreExhaustedException("the last value is " + config.lastValue());
        }
        long inRange = (config.lastValue() - block.first()) / block.step() + 1;
        return inRange >= block.count() ? block : block.part(0, inRange);
    }

    /** Returns integers to the store. Only logs a failure, so that the caller can still return other blocks. */
    void giveBack(Block rest) {
        String name = config.name();
        try {
            store.giveBack(name, rest);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "integer sequence " + name + ": could not give back " + rest + ", a gap: " + e);
        }
    }
}
