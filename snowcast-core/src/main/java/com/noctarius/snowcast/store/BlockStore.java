// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * Where blocks of integers are reserved. A store is shared by all sequences, threads and processes that use it; one that
 * passes the contract suite of the project's tests can be used wherever a store is asked for.
 *
 * <p>One method has to be written. Thread-safe.
 */
@FunctionalInterface
public interface BlockStore extends AutoCloseable {
    /**
     * Reserves the next block of a sequence. When the call returns, the reservation is durable, and no other call, in
     * whatever process, is or was given any integer of it. What is lost with a call that fails is a gap, never an overlap.
     * Blocks, at most as long as the store's time-outs say.
     *
     * @param sequence the name of the sequence
     * @param size how many integers, 1 or more
     * @return a block of at most that many; fewer where the store has no more in one piece
     * @throws BlockStoreException if nothing could be reserved, or it is not known whether; the call may be repeated
     * @throws BlockStoreExhaustedException if the sequence has no integer left
     */
    Block reserve(String sequence, long size) throws BlockStoreException;

    /**
     * Takes back what is left of a block, if the store can do so without risk: nobody may have reserved another block
     * meanwhile. To be called at most once for a block, by whoever reserved it. Where a store cannot, as here, the
     * integers are a gap.
     *
     * @param sequence the name of the sequence
     * @param rest the upper end of a block, of which no integer was used
     * @throws BlockStoreException if it is not known whether they were taken back; they must not be used all the same
     */
    default void giveBack(String sequence, Block rest) throws BlockStoreException {
        // A gap.
    }

    /** Gives up what the store itself has opened. Sequences that still use it fail when their blocks are used up. */
    @Override
    default void close() {
        // Nothing was opened.
    }
}
