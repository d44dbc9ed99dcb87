// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

/**
 * A store, such as a database, that reserves blocks (ranges) of integers for integer sequences. Many sequences, threads
 * and processes may use one store at the same time. Test an implementation with the contract suite of the artifact
 * {@code snowcast-store-contract}.
 *
 * <p>Only {@link #reserve} has no default. Implementations must be thread-safe, and {@link #reserve} must throw
 * {@link NullPointerException} for a null name.
 */
@FunctionalInterface
public interface BlockStore extends AutoCloseable {
    /**
     * Reserves the next block of a sequence. When the call returns, the reservation is durable. No other call, in any
     * process, has returned or will return any of these integers, unless they are {@linkplain #giveBack given back}. If
     * a call fails, integers that it may have reserved are a gap, because no later call returns them. Blocks for at
     * most the store's time-outs.
     *
     * @param sequence the name of the sequence, which {@link SequenceName} allows
     * @param size how many integers, 1 or more
     * @return a block of at most that many integers; fewer if the store does not have that many in one block
     * @throws IllegalArgumentException if the name is not allowed, or the size is below 1
     * @throws BlockStoreException if nothing was reserved, or the outcome is unknown; the call may be repeated
     * @throws NonTransientBlockStoreException if no call can succeed before an operator changes configuration, tables
     *     or privileges
     * @throws BlockStoreExhaustedException if the sequence has no integer left
     */
    Block reserve(String sequence, long size) throws BlockStoreException;

    /**
     * Checks that this store has a sequence and will not give it integers below a value. Reserves nothing. Snowcast
     * calls this method once when it creates an instance of the sequence. A {@link NonTransientBlockStoreException}
     * makes the creation fail. Snowcast only logs any other failure, for example if a database is down, because the
     * first reservation shows whether the store works. A store that delegates to another store must delegate this call,
     * too. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that the instance may hand out, 0 or more
     * @throws NonTransientBlockStoreException if the store does not have the sequence, gives it integers below that
     *     value (the message contains both values), or cannot be used with its current configuration
     * @throws BlockStoreException if the check could not be made
     */
    default void prepare(String sequence, long firstValue) throws BlockStoreException {
        // A store without definitions has nothing to check.
    }

    /**
     * Takes back the unused rest of a block if that is safe, for example if no process has reserved another block of
     * the sequence since. The process that reserved the block calls this method at most once for it. If a store cannot
     * take the integers back, as this default cannot, they are lost. Blocks as {@link #reserve} does.
     *
     * @param sequence the name of the sequence
     * @param rest an unused part of a block, usually its upper end; no integer of the part was used
     * @throws BlockStoreException if the outcome is unknown; the caller must not use the integers in any case
     */
    default void giveBack(String sequence, Block rest) throws BlockStoreException {}

    /**
     * Closes the resources that the store itself has opened. Sequences that still use the store may fail when their
     * blocks are used up.
     */
    @Override
    default void close() {}
}
