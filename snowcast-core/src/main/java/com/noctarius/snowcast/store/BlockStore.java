// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * Where blocks of integers are reserved. A store is shared by all sequences, threads and processes that use it; one
 * that passes the contract suite of the project's tests can be used wherever a store is asked for.
 *
 * <p>One method has to be written. Thread-safe.
 */
@FunctionalInterface
public interface BlockStore extends AutoCloseable {
    /**
     * Reserves the next block of a sequence. When the call returns, the reservation is durable, and no other call, in
     * whatever process, is or was given any integer of it. What is lost with a call that fails is a gap, never an
     * overlap. Blocks, at most as long as the store's time-outs say.
     *
     * @param sequence the name of the sequence, which {@link SequenceName} allows
     * @param size how many integers, 1 or more
     * @return a block of at most that many; fewer where the store has no more in one piece
     * @throws IllegalArgumentException if the name is none that is allowed, or the size is below 1
     * @throws BlockStoreException if nothing could be reserved, or it is not known whether; the call may be repeated
     * @throws NonTransientBlockStoreException if it fails until an operator changes configuration, tables or rights
     * @throws BlockStoreExhaustedException if the sequence has no integer left
     */
    Block reserve(String sequence, long size) throws BlockStoreException;

    /**
     * Makes sure that this store has a sequence and gives it no integer below a value. Called once when an instance of
     * the sequence is created, which fails if this does with a {@link NonTransientBlockStoreException}; any other
     * failure, such as a database that is down, is left to the first reservation. Reserves nothing. A store before
     * another one passes it on. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that the instance may hand out, 0 or more
     * @throws NonTransientBlockStoreException if the store does not know the sequence, gives it integers below that
     *     value (the message has both), or cannot be used as it is set up
     * @throws BlockStoreException if it could not be found out
     */
    default void prepare(String sequence, long firstValue) throws BlockStoreException {
        // A store that knows no definitions.
    }

    /**
     * Takes back what is left of a block, if the store can do so without risk: no process may have reserved another
     * block meanwhile. To be called at most once for a block, by the process that reserved it. Where a store cannot, as
     * here, the integers are a gap.
     *
     * @param sequence the name of the sequence
     * @param rest the upper end of a block, of which no integer was used
     * @throws BlockStoreException if it is not known whether they were taken back; they must not be used anyway
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
