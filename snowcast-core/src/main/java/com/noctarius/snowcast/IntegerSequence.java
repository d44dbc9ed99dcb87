// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Hands out compact integers, from blocks that were reserved in a {@link com.noctarius.snowcast.store.BlockStore}.
 *
 * <p><b>Uniqueness.</b> No two calls on sequences of one name and store ever return the same integer, in any process,
 * as long as the store keeps its data.
 *
 * <p><b>Gaps.</b> Integers that a process had reserved and not used when it ended are lost, unless the sequence was
 * closed and the store could take them back.
 *
 * <p><b>Order.</b> The integers of one instance increase, as far as the blocks do that the store gives it: those of one
 * database increase, those of several shards do not when one shard stands in for another. Between processes integers
 * are ordered by block only.
 *
 * <p><b>Waiting.</b> The next block is reserved in the background when a share of the present one is used, so mostly no
 * call waits. A call that finds no integer left waits for the next block, up to
 * {@link IntegerSequenceConfig#maxWait()}, 10 seconds by default. A call that need not wait ignores the thread's
 * interrupt flag.
 *
 * <p>All methods are thread-safe.
 */
public interface IntegerSequence extends AutoCloseable {
    /** {@return the name this sequence was created with} */
    String name();

    /**
     * {@return the next integer, which no other call ever returns}
     *
     * @throws InterruptedException if the thread is interrupted while it waits; nothing is lost
     * @throws IntegerSequenceExhaustedException if every integer up to the last value was handed out
     * @throws SnowcastStateException if this sequence was closed
     * @throws SnowcastException if the store gave no block in the time a call may wait, with since when and why; at
     *     once if only a change of configuration, tables or rights can help
     */
    long next() throws InterruptedException;

    /**
     * {@return the next integer, which no other call ever returns, as an {@code int}}
     *
     * @throws ArithmeticException if it is above {@code Integer.MAX_VALUE}; it is lost
     * @throws InterruptedException as for {@link #next()}
     * @throws SnowcastException as for {@link #next()}
     */
    default int nextInt() throws InterruptedException {
        long integer = next();
        if (integer > Integer.MAX_VALUE) {
            throw new ArithmeticException("integer sequence " + name() + ": " + integer + " is above "
                    + Integer.MAX_VALUE + " and lost; call next(), or set lastValue to at most " + Integer.MAX_VALUE);
        }
        return (int) integer;
    }

    /**
     * {@return several integers, in the order in which single calls would return them, in a new array} Other callers
     * are served in between.
     *
     * @param count how many, 0 to 16,777,216; for more, fill an array
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws InterruptedException as for {@link #next()}; those taken so far are lost
     * @throws SnowcastException as for {@link #next()}; those taken so far are lost
     */
    default long[] next(int count) throws InterruptedException {
        long[] integers = new long[IntegerSequenceConfig.requireCount(count)];
        next(integers, 0, count);
        return integers;
    }

    /**
     * Fills a part of an array with integers, in the order in which single calls would return them, without allocation.
     * Other callers are served in between.
     *
     * <p>A call that fails leaves those taken so far in the array, from {@code fromIndex} on, and does not touch the
     * rest. No other call returns them. Fill the array with -1 before the call to find them; else they are lost.
     *
     * @param integers the array
     * @param fromIndex the first index to fill
     * @param toIndex the index behind the last to fill
     * @throws NullPointerException if {@code integers} is null
     * @throws IndexOutOfBoundsException if the range is not within the array
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IntegerSequenceExhaustedException as for {@link #next()}, also if some were left
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException;

    /**
     * Returns the next integer if there is one in the reserved blocks. Never waits. A call that finds none, such as the
     * first call of all, starts the reservation of a block in the background.
     *
     * @return an integer that no other call ever returns; or empty until the next block is there, however long that
     *     takes: {@link #stats()} shows why nothing can be reserved
     * @throws IntegerSequenceExhaustedException if every integer up to the last value was handed out
     * @throws SnowcastStateException if this sequence was closed
     * @throws SnowcastException if only a change of configuration, tables or rights can help
     */
    OptionalLong tryNext();

    /**
     * {@return what {@link #tryNext} returns, or {@code ifNone} instead of empty} Snowcast's sequences allocate
     * nothing.
     *
     * @param ifNone any number; a negative one is never an integer of the sequence
     * @throws SnowcastException with its subclasses, as for {@link #tryNext}
     */
    default long tryNextOr(long ifNone) {
        return tryNext().orElse(ifNone);
    }

    /**
     * {@return a stage that completes with the next integer, at once if one is in the reserved blocks} Never waits. As
     * {@link SnowcastSequencer#nextAsync}, with two differences. A stage fails when it has waited for
     * {@link IntegerSequenceConfig#maxWait()}, or up to twice that for a call that came while others waited. A stage
     * that is cancelled while it waits takes no integer; if it was about to complete, its integer is a gap.
     *
     * <p>The stage fails with what {@link #next()} throws.
     */
    default CompletionStage<Long> nextAsync() {
        throw new UnsupportedOperationException(getClass().getName() + " does not implement nextAsync()");
    }

    /**
     * Reserves the first block, unless there are reserved integers already, and waits for the outcome, for at most
     * {@link IntegerSequenceConfig#maxWait()}. Afterwards calls need not wait for it, or {@link #stats()} shows why the
     * store does not serve at present.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws SnowcastException as for {@link #tryNext()}, with its subclasses
     */
    void prefetch() throws InterruptedException;

    /** {@return how many integers of the reserved blocks are left, at some moment of the call} */
    long remaining();

    /** {@return what this instance has done, and how it is at present} Neither blocks nor calls the store. */
    IntegerSequenceStats stats();

    /**
     * {@return whether this instance has ended, so that every later call for an integer fails} It was closed, or its
     * {@code Snowcast} was shut down. It never opens again.
     */
    boolean isClosed();

    /**
     * Ends this instance: later calls, and those that wait, fail with a {@link SnowcastStateException}. The rest of its
     * blocks is returned if the store can take it, which may block for as long as the store's time-outs. What the store
     * fails to take is a gap, which is logged and not thrown. The sequence itself stays: it can be created again. A
     * second call has no effect.
     */
    @Override
    void close();
}
