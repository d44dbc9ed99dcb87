// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A generator of unique 64-bit Snowflake IDs that sort by time. Generating an ID does not call the cluster.
 *
 * <p><b>Uniqueness.</b> No two calls on sequencers of one name ever return the same ID, in any process, as long as a
 * member of the cluster is running, and the network does not split without split-brain protection. A sequencer leases
 * its node ID from the cluster for a period of time, and issues only IDs whose time is in that period, even if its
 * clock is wrong. For sequencers of a database see {@code JdbcSnowcast}; for a fixed node ID see
 * {@link SnowcastSystem#standaloneSequencer}.
 *
 * <p><b>Order.</b> The IDs of one instance increase strictly, compared unsigned: a call that starts after another has
 * returned gets the greater ID, even if the sequencer was detached and attached in between. IDs of different instances
 * sort by the milliseconds of their creation, as exactly as the clocks of the processes agree.
 *
 * <p><b>Waiting.</b> A call parks its thread in two cases: until the millisecond of its ID begins, usually because the
 * counters of the current millisecond are used up; and until the cluster renews or replaces a lease that has ended or
 * was lost. While 256 calls or more wait on one instance, they take turns, and a call can wait up to three milliseconds
 * longer.
 *
 * <p><b>No {@code close()}.</b> All callers that create a sequencer of one name on one {@code HazelcastInstance} get
 * the same object, so one of them must not close it for the others. The shutdown of the {@code HazelcastInstance}
 * releases the node ID; {@link #detachLogicalNode} releases it earlier.
 *
 * <p><b>Decorators.</b> A decorator that was written for snowcast 1 or 2 continues to work, because each method that
 * was added since has a default implementation. By default, {@link #layout}, {@link #epoch}, {@link #stats},
 * {@link #tryNext}, {@link #tryNextOr} and {@link #nextAsync} throw {@link UnsupportedOperationException}; the other
 * new methods call the old ones. Snowcast's own sequencers never throw it.
 *
 * <p>All methods are thread-safe.
 */
public interface SnowcastSequencer {
    /**
     * {@return the name this sequencer was created with; versions 1 and 2 have this method, but not {@link #name()}}
     */
    String getSequencerName();

    /** {@return the name this sequencer was created with} */
    default String name() {
        return getSequencerName();
    }

    /** {@return the layout of this sequencer's IDs} */
    default SnowcastLayout layout() {
        throw unsupported("layout()");
    }

    /** {@return the epoch of this sequencer: the instant from which its IDs count their time} */
    default SnowcastEpoch epoch() {
        throw unsupported("epoch()");
    }

    /** {@return the counts and the current state of this instance} Neither blocks nor calls the cluster. */
    default Stats stats() {
        throw unsupported("stats()");
    }

    /**
     * {@return the next ID, which no other call ever returns, in any process} It is greater than every ID that a call
     * on this instance has returned before, compared unsigned. The call does not use the network. It waits for the
     * millisecond of its ID, usually for less than a millisecond, and for the lease for up to 10 seconds. A call that
     * does not have to wait ignores the thread's interrupt flag. After a call that fails it is safe to call again.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; an ID that the call has taken already
     *     is never issued
     * @throws SnowcastStateException if this sequencer is Detached or Destroyed, or if the cluster does not renew or
     *     replace an ended lease within 10 seconds; the message says why
     * @throws SnowcastIllegalStateException if the time of the layout is used up
     */
    long next() throws InterruptedException;

    /**
     * {@return several IDs, in increasing order, in a new array} With snowcast's own sequencers, this is faster than
     * single calls. Other callers may get IDs in between. Waits as {@link #next()} does.
     *
     * @param count how many, 0 to 16,777,216; for more, use {@link #next(long[], int, int)}
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws InterruptedException if the thread is interrupted while it waits; the IDs that the call has taken are
     *     never issued
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    default long[] next(int count) throws InterruptedException {
        long[] ids = new long[IntegerSequenceConfig.requireCount(count)];
        next(ids, 0, count);
        return ids;
    }

    /**
     * Fills a part of an array with IDs, in increasing order. Allocates no array. Waits as {@link #next()} does.
     *
     * <p>This default calls {@link #next()} for each ID; snowcast's own sequencers are faster.
     *
     * @param ids the array
     * @param fromIndex the first index to fill
     * @param toIndex the index behind the last to fill
     * @throws NullPointerException if {@code ids} is null
     * @throws IndexOutOfBoundsException if the range is not within the array
     * @throws InterruptedException if the thread is interrupted while it waits; the array may then hold some IDs, which
     *     no other call returns
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    default void next(long[] ids, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, ids.length);
        for (int index = fromIndex; index < toIndex; index++) {
            ids[index] = next();
        }
    }

    /**
     * {@return the next ID, or empty if {@link #next()} would wait} Never waits.
     *
     * @throws SnowcastStateException if this sequencer is not Attached
     * @throws SnowcastIllegalStateException if the time of the layout is used up
     */
    default OptionalLong tryNext() {
        throw unsupported("tryNext()");
    }

    /**
     * {@return the next ID, as {@link #tryNext} does, but {@code ifNone} in place of empty} Snowcast's own sequencers
     * allocate no object for the result.
     *
     * @param ifNone any number; 0 is never an ID
     * @throws SnowcastException as {@link #tryNext}, with its subclasses
     */
    default long tryNextOr(long ifNone) {
        return tryNext().orElse(ifNone);
    }

    /**
     * {@return a stage, which is a {@code CompletableFuture}, that completes with the next ID} Never waits, so it suits
     * event loops and coroutines. If an ID is available and no other such call waits, the stage is already complete.
     *
     * <p>Calls that have to wait are served in the order in which they came, and get increasing IDs, as calls of
     * {@link #next()} do.
     *
     * <p>Dependent actions run on the thread that adds them, or on a daemon thread of snowcast, where they delay no
     * other call and no lease.
     *
     * <p>Cancelling the stage cancels the call, whose ID may be lost.
     *
     * <p>The stage fails with
     *
     * <ul>
     *   <li>{@link SnowcastStateException}, at once, if this sequencer is Detached or Destroyed, or becomes so while
     *       the call waits;
     *   <li>{@link SnowcastStateException} if the cluster does not renew or replace an ended lease within 10 seconds,
     *       or within 20 seconds if other calls were waiting already;
     *   <li>{@link SnowcastIllegalStateException} if the time of the layout is used up.
     * </ul>
     */
    default CompletionStage<Long> nextAsync() {
        throw unsupported("nextAsync()");
    }

    /** {@return the present state} */
    SnowcastSequenceState getSequencerState();

    /**
     * Acquires a node ID for this sequencer, usually not the one that it had before. Blocks for a round trip to the
     * cluster. An interrupt ends the wait in the same way as the time-out, with a {@link SnowcastUnavailableException},
     * and the thread stays interrupted.
     *
     * @return this
     * @throws SnowcastStateException if this sequencer is not Detached, if it was destroyed in the cluster, or if its
     *     {@code HazelcastInstance} was shut down
     * @throws SnowcastNodeIdsExceededException if all node IDs are in use; the message says when the next one is free
     * @throws SnowcastUnavailableException if the cluster cannot grant a node ID at present, but the same call may
     *     succeed later. If the answer was lost, a node ID may stay reserved for lease + skew
     * @throws SnowcastSequencerAlreadyRegisteredException if this sequencer was created Detached, and the name is in
     *     use with another definition
     * @throws SnowcastIllegalStateException as for {@link Snowcast#createSequencer(SequencerConfig)}
     * @throws IllegalArgumentException if the lease is longer than the cluster's {@code snowcast.lease.millis}
     * @throws SnowcastException as for {@link Snowcast#createSequencer(SequencerConfig)}
     */
    SnowcastSequencer attachLogicalNode();

    /**
     * Releases the node ID, and makes this sequencer Detached. When the call returns, this sequencer takes no ID any
     * more, waiting calls fail, and at most calls that run in other threads return an ID that they took before. Blocks
     * for a round trip to the cluster, and cannot be interrupted.
     *
     * <p>If the cluster cannot be reached, the sequencer is Detached anyway, a warning is logged, and the node ID is
     * free when its lease has expired.
     *
     * @return this
     * @throws SnowcastStateException if this sequencer is not Attached
     */
    SnowcastSequencer detachLogicalNode();

    /**
     * {@return the timestamp of an ID, in milliseconds since the epoch} Works in any state.
     *
     * @param id an ID of this sequencer
     */
    default long timestampValue(long id) {
        return layout().timestampValue(id);
    }

    /**
     * {@return the node ID of an ID} Works in any state.
     *
     * @param id an ID of this sequencer
     */
    default int logicalNodeId(long id) {
        return layout().logicalNodeId(id);
    }

    /**
     * {@return the counter of an ID} Works in any state.
     *
     * @param id an ID of this sequencer
     */
    default int counterValue(long id) {
        return layout().counterValue(id);
    }

    private UnsupportedOperationException unsupported(String method) {
        return new UnsupportedOperationException(getClass().getName() + " does not implement " + method);
    }

    /**
     * The counts and the current state of an instance. The counts never decrease; detaching and attaching do not reset
     * them. The values are read one after another, not atomically.
     *
     * @param state the present state
     * @param logicalNodeId the node ID; empty if the sequencer is not Attached, or is acquiring another node ID
     * @param lease the duration of the lease, counted from the grant or the last renewal; for a
     *     {@linkplain SnowcastSystem#standaloneSequencer standalone sequencer}, how long the time of its layout lasts
     *     in total; zero if there is no node ID
     * @param leaseRemaining how long IDs can be generated without the cluster, by this process's clock; for a
     *     standalone sequencer, how much of the layout's time is left; zero if there is no node ID or the lease has
     *     expired
     * @param problem why there is no node ID, since when and why the lease cannot be renewed, that the time of the
     *     layout is used up, or how far this process's clock is ahead of the time that IDs may have, or behind the IDs
     *     that were issued; empty if nothing is wrong
     * @param issuedCount IDs that calls returned, including those of a batch that failed half-way. Exact when no call
     *     is running; otherwise it may include IDs that a call is about to return, or to lose by a failure. In the
     *     latter case the next ID does not increase the count
     * @param waitCount how often calls were parked to wait for the next millisecond, the lease, or another node ID
     * @param waitTime how long calls were parked in total; each wait is added when it ends
     * @param renewalCount renewals of the lease
     * @param renewalFailureCount failed renewals: no answer came in time, or the answer did not extend the lease
     * @param leaseLossCount how often the node ID was lost, because the cluster no longer had the grant, or was
     *     replaced by another cluster; the sequencer then acquires another node ID by itself
     * @param timeRemaining how long the time of the layout lasts, by this process's clock; zero if it is used up
     * @param positiveRemaining how long IDs remain positive as a {@code long}, by this process's clock; empty if they
     *     never turn negative, or are negative already
     */
    record Stats(
            SnowcastSequenceState state,
            OptionalInt logicalNodeId,
            Duration lease,
            Duration leaseRemaining,
            String problem,
            long issuedCount,
            long waitCount,
            Duration waitTime,
            long renewalCount,
            long renewalFailureCount,
            long leaseLossCount,
            Duration timeRemaining,
            Optional<Duration> positiveRemaining) {}
}
