// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.lang.System.Logger.Level;
import java.util.Objects;

/** The store of one sequence: checks what it gives against the configuration, and logs what it fails to take back. */
final class CheckedStore {
    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());

    private final IntegerSequenceConfig config;
    private final BlockStore store;

    CheckedStore(IntegerSequenceConfig config, BlockStore store) {
        this.config = config;
        this.store = store;
    }

    BlockStore unchecked() {
        return store;
    }

    /** Fails if the store will never serve this sequence. A store that cannot be reached is logged. */
    void prepare() {
        try {
            store.prepare(config.name(), config.firstValue());
        } catch (NonTransientBlockStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING, "integer sequence " + config.name() + ": not known whether the store has it: " + e);
        }
    }

    /** Reserves a block, or the part of one up to the last value. A block out of range is given back. */
    Block reserve(long size) {
        String name = config.name();
        Block block = store.reserve(name, size);
        requireNotBelow(config.firstValue(), name, block, store);
        if (block.first() > config.lastValue()) {
            // Calls ask again, though not at once: a store of several shards may have lower integers left.
            giveBack(block);
            throw new BlockStoreExhaustedException("the last value is " + config.lastValue());
        }
        long inRange = (config.lastValue() - block.first()) / block.step() + 1;
        return inRange >= block.count() ? block : block.part(0, inRange);
    }

    /** Fails if there is no block; or one that begins below the first value, which is given back before. */
    static void requireNotBelow(long firstValue, String name, Block reserved, BlockStore store) {
        Objects.requireNonNull(reserved, () -> "no block for sequence " + name + ": reserve() must not return null");
        if (reserved.first() < firstValue) {
            giveBack(name, reserved, store);
            throw new NonTransientBlockStoreException("sequence " + name + ": " + store + " must begin at " + firstValue
                    + " or above, and gave " + reserved);
        }
    }

    void giveBack(Block rest) {
        giveBack(config.name(), rest, store);
    }

    /** What the store fails to take back is a gap. The other blocks are given back nevertheless. */
    private static void giveBack(String name, Block rest, BlockStore store) {
        try {
            store.giveBack(name, rest);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "integer sequence " + name + ": could not give back " + rest + ", a gap: " + e);
        }
    }
}
