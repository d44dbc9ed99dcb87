// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** See {@link BlockStore#striped}. Thread-safe; blocks as the parent does. */
final class StripedBlockStore implements BlockStore {
    private final BlockStore parent;
    private final int stripes;

    StripedBlockStore(BlockStore parent, int stripes) {
        this.parent = Objects.requireNonNull(parent, "parent");
        if (stripes < 1) {
            throw new IllegalArgumentException("stripes must be >= 1: " + stripes);
        }
        this.stripes = stripes;
    }

    /** Of a stripe chosen at random; of the next ones if that is used up. */
    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
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

    /** Stripe {@code i} has to begin at the lowest {@code k} of which {@code k * stripes + i} is not below the value. */
    @Override
    public void prepare(String sequence, long firstValue) {
        for (int stripe = 0; stripe < stripes; stripe++) {
            long first = firstValue / stripes + (firstValue % stripes > stripe ? 1 : 0);
            parent.prepare(nameOf(sequence, stripe), first);
        }
    }

    @Override
    public void giveBack(String sequence, Block rest) {
        String ofStripe = nameOf(sequence, (int) (rest.first() % stripes));
        parent.giveBack(ofStripe, new Block(rest.first() / stripes, rest.count(), rest.step() / stripes));
    }

    private static String nameOf(String sequence, int stripe) {
        return sequence + '/' + stripe;
    }

    @Override
    public String toString() {
        return "StripedBlockStore{stripes=" + stripes + ", parent=" + parent + '}';
    }
}
