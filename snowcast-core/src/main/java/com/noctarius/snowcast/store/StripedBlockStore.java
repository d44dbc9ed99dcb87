// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Stripes before another store: a sequence becomes {@code n} sequences of the parent, named {@code name/0} to
 * {@code name/n-1}. Where number {@code i} gives {@code k}, this store gives {@code k * n + i}. Processes that reserve meet
 * each other less often, and the integers of different stripes come in no order.
 *
 * <p>The number of stripes belongs to the data: <b>with another one than before, integers repeat</b>, and nothing here can
 * notice. A store that has stripes of its own, and checks, is to be preferred.
 *
 * <p>Thread-safe; blocks as the parent does.
 */
public final class StripedBlockStore implements BlockStore {
    private final BlockStore parent;
    private final int stripes;

    /**
     * Puts stripes before a store.
     *
     * @param parent where blocks of the stripes are reserved; it stays open when this store is closed
     * @param stripes how many, 1 or more; the same for ever and everywhere
     * @throws NullPointerException if {@code parent} is null
     * @throws IllegalArgumentException if {@code stripes} is less than 1
     */
    public StripedBlockStore(BlockStore parent, int stripes) {
        this.parent = Objects.requireNonNull(parent, "parent");
        if (stripes < 1) {
            throw new IllegalArgumentException("stripes must be >= 1: " + stripes);
        }
        this.stripes = stripes;
    }

    /**
     * Reserves a block of a stripe chosen at random; of the next ones if that is used up.
     *
     * @throws BlockStoreExhaustedException if every stripe is used up, or its integers exceed {@code Long.MAX_VALUE}
     */
    @Override
    public Block reserve(String sequence, long size) {
        Objects.requireNonNull(sequence, "sequence");
        int chosen = ThreadLocalRandom.current().nextInt(stripes);
        for (int tried = 1; ; tried++) {
            try {
                return reserveOf(sequence, chosen, size);
            } catch (BlockStoreExhaustedException e) {
                if (tried == stripes) {
                    throw e;
                }
                chosen = (chosen + 1) % stripes;
            }
        }
    }

    private Block reserveOf(String sequence, int stripe, long size) {
        Block ofStripe = parent.reserve(nameOf(sequence, stripe), size);
        if (ofStripe.last() > (Long.MAX_VALUE - stripe) / stripes) {
            throw new BlockStoreExhaustedException("sequence " + sequence + ": stripe " + stripe + " of " + stripes
                    + " is above " + Long.MAX_VALUE + " in " + this);
        }
        return new Block(ofStripe.first() * stripes + stripe, ofStripe.count(), ofStripe.step() * stripes);
    }

    @Override
    public void giveBack(String sequence, Block rest) {
        int stripe = (int) (rest.first() % stripes);
        parent.giveBack(
                nameOf(sequence, stripe), new Block(rest.first() / stripes, rest.count(), rest.step() / stripes));
    }

    private static String nameOf(String sequence, int stripe) {
        return sequence + '/' + stripe;
    }

    @Override
    public String toString() {
        return "StripedBlockStore{stripes=" + stripes + ", parent=" + parent + '}';
    }
}
