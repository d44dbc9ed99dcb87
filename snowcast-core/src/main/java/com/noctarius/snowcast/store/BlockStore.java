// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * A store that reserves blocks of integers. All sequences, threads and processes that use a store share it. Test an
 * implementation with the contract suite of the artifact {@code snowcast-store-contract}.
 *
 * <p>Only {@link #reserve} has no default. Implementations are thread-safe. They throw {@link NullPointerException} for
 * a null argument.
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
     * @return a block of at most that many integers; fewer if the store has no more in one piece
     * @throws IllegalArgumentException if the name is not allowed, or the size is below 1
     * @throws BlockStoreException if nothing was reserved, or the outcome is unknown; the call may be repeated
     * @throws NonTransientBlockStoreException if the call fails until an operator changes configuration, tables or
     *     privileges
     * @throws BlockStoreExhaustedException if the sequence has no integer left
     */
    Block reserve(String sequence, long size) throws BlockStoreException;

    /**
     * Checks that this store has a sequence and gives it no integer below a value. Reserves nothing. Snowcast calls it
     * once when an instance of the sequence is created. A {@link NonTransientBlockStoreException} makes the creation
     * fail; any other failure, such as that of a database that is down, is ignored, and the first reservation tries
     * again. A store that delegates to another store must delegate this call, too. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that the instance may hand out, 0 or more
     * @throws NonTransientBlockStoreException if the store does not have the sequence, gives it integers below that
     *     value (the message says both), or cannot be used with its current configuration
     * @throws BlockStoreException if the check could not be made
     */
    default void prepare(String sequence, long firstValue) throws BlockStoreException {
        // A store without definitions has nothing to check.
    }

    /**
     * Takes back the rest of a block if that is safe: no process may have reserved another block since. The process
     * that reserved the block calls this method at most once. If a store cannot take the integers back, as with this
     * default, they are a gap. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param rest the upper end of a block, of which no integer was used
     * @throws BlockStoreException if the outcome is unknown; the integers must not be used in any case
     */
    default void giveBack(String sequence, Block rest) throws BlockStoreException {
        // The integers are a gap.
    }

    /** Closes what the store itself has opened. Sequences that still use it fail when their blocks are used up. */
    @Override
    default void close() {
        // Nothing was opened.
    }
}
