// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A generator of unique, compact integers. It takes them from blocks (ranges) that it reserves in a
 * {@link com.noctarius.snowcast.store.BlockStore}.
 *
 * <p><b>Uniqueness.</b> No two calls on sequences of one name and store ever return the same integer, in any process,
 * as long as the store keeps its data.
 *
 * <p><b>Gaps.</b> When a process ends, the integers that it has reserved but not used are lost, unless the sequence was
 * closed and the store could take them back.
 *
 * <p><b>Order.</b> The integers of one instance increase as long as each block that the store reserves lies above the
 * one before. With SQL databases a lower block may follow in two cases. The first: the store has avoided a part of the
 * range (window) because another process used it, and returns to that window. The second: the store changes to another
 * database (shard), for example because the present one has failed. Processes use different blocks at the same time, so
 * their integers are not in the order of their creation.
 *
 * <p><b>Waiting.</b> The sequence reserves the next block in the background when a share of the current one, by default
 * half, is used, so most calls do not wait. If no integer is left, {@link #next()} waits for the next block, up to
 * {@link IntegerSequenceConfig#maxWait()}, 10 seconds by default; {@link #tryNext} does not wait. A call that does not
 * have to wait ignores the thread's interrupt flag.
 *
 * <p>All methods are thread-safe.
 */
public interface IntegerSequence extends AutoCloseable {
    /** {@return the name this sequence was created with} */
    String name();

    /**
     * {@return the next integer, which no other call ever returns}
     *
     * @throws InterruptedException if the thread is interrupted while it waits; no integer is lost
     * @throws IntegerSequenceExhaustedException if no reserved integer is left, and the store gives none up to the last
     *     value
     * @throws SnowcastStateException if this sequence was closed
     * @throws SnowcastException if the store gave no block within {@code maxWait}, or at once if the failure is
     *     permanent, for example because a table is missing; the message says why
     */
    long next() throws InterruptedException;

    /**
     * {@return the next integer, which no other call ever returns, as an {@code int}}
     *
     * @throws ArithmeticException if the integer is above {@code Integer.MAX_VALUE}; this integer is lost
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
     * {@return several integers in a new array, in the order in which single calls would return them} Other callers may
     * get integers in between.
     *
     * @param count how many, 0 to 16,777,216; for more, use {@link #next(long[], int, int)}
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws InterruptedException if the thread is interrupted while it waits; the integers taken so far are lost
     * @throws SnowcastException as for {@link #next()}; the integers taken so far are lost
     */
    default long[] next(int count) throws InterruptedException {
        long[] integers = new long[IntegerSequenceConfig.requireCount(count)];
        next(integers, 0, count);
        return integers;
    }

    /**
     * Fills a part of an array with integers, in the order in which single calls would return them. Allocates no array.
     * Other callers may get integers in between.
     *
     * <p>A call that fails leaves the integers that it has taken in the array, from {@code fromIndex} on, and does not
     * change the rest of the array. No other call returns these integers. To find them afterwards, fill the array with
     * -1 before the call.
     *
     * @param integers the array
     * @param fromIndex the first index to fill
     * @param toIndex the index behind the last to fill
     * @throws NullPointerException if {@code integers} is null
     * @throws IndexOutOfBoundsException if the range is not within the array
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IntegerSequenceExhaustedException if the sequence is used up before the range of the array is filled
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException;

    /**
     * Returns the next integer if the reserved blocks have one left. Never waits. A call that finds none, as the first
     * call usually does, starts to reserve a block in the background; {@link #stats()} shows why reservations fail.
     *
     * @return an integer that no other call ever returns; empty if no reserved integer is left
     * @throws IntegerSequenceExhaustedException as for {@link #next()}
     * @throws SnowcastStateException if this sequence was closed
     * @throws SnowcastException if reservations fail permanently, for example because a table is missing
     */
    OptionalLong tryNext();

    /**
     * {@return the next integer, as {@link #tryNext} does, but {@code ifNone} in place of empty} Snowcast's own
     * sequences allocate no object for the result.
     *
     * @param ifNone any number; a negative one is never an integer of the sequence
     * @throws SnowcastException with its subclasses, as for {@link #tryNext}
     */
    default long tryNextOr(long ifNone) {
        return tryNext().orElse(ifNone);
    }

    /**
     * {@return a stage that completes with the next integer, at once if a reserved integer is left and no other such
     * call waits} Never waits. Works as {@link SnowcastSequencer#nextAsync}, with three differences.
     *
     * <ul>
     *   <li>A stage fails when it has waited for {@link IntegerSequenceConfig#maxWait()}, or up to twice that long if
     *       other calls were waiting already.
     *   <li>A stage fails with the {@code SnowcastException}s of {@link #next()}.
     *   <li>A stage that still waits has not taken an integer, so cancelling it loses none. If you cancel a stage that
     *       is about to complete, its integer may be lost.
     * </ul>
     */
    CompletionStage<Long> nextAsync();

    /**
     * Reserves a block if no reserved integer is left, and waits for the result for at most
     * {@link IntegerSequenceConfig#maxWait()}. The first calls then need not wait for the store. If the reservation
     * takes longer or fails temporarily, this method returns without an exception; {@link #stats()} shows a failure.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws SnowcastException as for {@link #tryNext()}, with its subclasses
     */
    void prefetch() throws InterruptedException;

    /** {@return how many integers of the reserved blocks are left, at one moment during the call} */
    long remaining();

    /** {@return the counts and the current state of this instance} Neither blocks nor calls the store. */
    Stats stats();

    /**
     * {@return whether this instance was closed, by {@link #close()} or by the shutdown of its {@code Snowcast}} Every
     * call for an integer then fails. A closed instance never opens again.
     */
    boolean isClosed();

    /**
     * Closes this instance: later and waiting calls for integers fail with a {@link SnowcastStateException}. Returns
     * the unused integers if the store can take them back. This may block for the store's time-outs, once for each
     * block with unused integers. If the return fails, the integers are lost, and snowcast logs the failure instead of
     * throwing it. The sequence stays in the store and can be created again. A second call has no effect.
     */
    @Override
    void close();

    /**
     * The counts and the current state of an instance. The counts never decrease.
     *
     * @param issuedCount integers that were issued
     * @param remaining how many integers can be issued without calling the store
     * @param timeToEmpty how long the remaining integers last at the current rate; zero if there are none, and
     *     {@link #ENDLESS} if the rate is zero, or before the first reservation has succeeded or failed
     * @param blockSize how many integers the next reservation will request
     * @param reservationCount blocks that were reserved
     * @param failureCount reservations that failed
     * @param waitCount how often calls had to wait for a block; the asynchronous calls of an instance wait together and
     *     count as one
     * @param waitTime how long these waits took in total
     * @param problem since when and why reservations fail, or why the sequence is closed; empty if nothing is wrong
     * @param isExhausted whether the last reservation failed because the store gives no more integers up to the last
     *     value; false if the sequence is closed. This process still issues its reserved integers, after which its
     *     calls fail
     */
    record Stats(
            long issuedCount,
            long remaining,
            Duration timeToEmpty,
            long blockSize,
            long reservationCount,
            long failureCount,
            long waitCount,
            Duration waitTime,
            String problem,
            boolean isExhausted) {
        /** The {@link #timeToEmpty()} of a sequence that is not used. */
        public static final Duration ENDLESS = Duration.ofNanos(Long.MAX_VALUE);
    }
}
