// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * Reserves blocks of integers. A store is shared by all sequences, threads and processes that use it. Test an
 * implementation with the contract suite of the artifact {@code snowcast-store-contract}.
 *
 * <p>Only {@link #reserve} has no default. Implementations are thread-safe. An argument that is null makes a method
 * throw {@link NullPointerException}.
 */
@FunctionalInterface
public interface BlockStore extends AutoCloseable {
    /**
     * Reserves the next block of a sequence. When the call returns, the reservation is durable, and no other call, in
     * any process, gets or got any integer of it. Integers that a failed call may have reserved are a gap, never an
     * overlap. Blocks, at most for the store's time-outs.
     *
     * @param sequence the name of the sequence, which {@link SequenceName} allows
     * @param size how many integers, 1 or more
     * @return a block of at most that many; fewer where the store has no more in one piece
     * @throws IllegalArgumentException if the name is not allowed, or the size is below 1
     * @throws BlockStoreException if nothing could be reserved, or it is not known whether; the call may be repeated
     * @throws NonTransientBlockStoreException if it fails until an operator changes configuration, tables or rights
     * @throws BlockStoreExhaustedException if the sequence has no integer left
     */
    Block reserve(String sequence, long size) throws BlockStoreException;

    /**
     * Checks that this store has a sequence and gives it no integer below a value. Reserves nothing. Called once when
     * an instance of the sequence is created. A {@link NonTransientBlockStoreException} makes the creation fail; any
     * other failure, such as that of a database that is down, is ignored, and the first reservation tries again. A
     * store that delegates to another one passes the call on. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that the instance may hand out, 0 or more
     * @throws NonTransientBlockStoreException if the store does not have the sequence, gives it integers below that
     *     value (the message has both), or cannot be used as it is set up
     * @throws BlockStoreException if the check could not be made
     */
    default void prepare(String sequence, long firstValue) throws BlockStoreException {
        // A store that knows no definitions.
    }

    /**
     * Takes back the rest of a block, if the store can do so without risk: no process may have reserved another block
     * meanwhile. The process that reserved the block calls it at most once. In a store that cannot take it back, as by
     * this default, the integers are a gap. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param rest the upper end of a block, of which no integer was used
     * @throws BlockStoreException if it is not known whether they were taken back; they must not be used anyway
     */
    default void giveBack(String sequence, Block rest) throws BlockStoreException {
        // A gap.
    }

    /** Closes what the store itself has opened. Sequences that still use it fail when their blocks are used up. */
    @Override
    default void close() {
        // Nothing was opened.
    }
}
