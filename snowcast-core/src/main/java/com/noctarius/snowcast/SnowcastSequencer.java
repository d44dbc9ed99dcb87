// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Generates 64-bit IDs that sort by time. IDs are made locally, without a call to the cluster.
 *
 * <p><b>Uniqueness.</b> No two calls on sequencers of one name ever return the same ID, on whatever member, as long as
 * the cluster lives. A sequencer may issue IDs only for the stretch of time that the cluster granted to its node
 * ID, whatever its clock says.
 *
 * <p><b>Order.</b> The IDs of one instance increase strictly, compared unsigned: a call that starts after another has
 * returned gets the greater ID, also after re-attachment. Across instances IDs are ordered by millisecond,
 * as well as the clocks agree.
 *
 * <p><b>Waiting.</b> A call waits, parked, when the counters of a millisecond are used up (until the next begins) or
 * when the granted time is used up (until the cluster extends it). While 256 calls and more wait on one instance, they
 * take turns: a call waits up to three milliseconds longer, and the next ones need not wait. A call that need not wait
 * does not look at the thread's interrupt flag; one that waits throws {@link InterruptedException}, and the ID it was
 * about to return is never issued to anybody.
 *
 * <p><b>No {@code close()}.</b> Everybody who creates a sequencer of one name on one {@code HazelcastInstance} gets the
 * same object, so a try-with-resources statement in one place, or the destroy method that Spring infers from
 * {@code close()}, would take it from all others. There is nothing to release either: the shutdown of the
 * {@code HazelcastInstance} gives the node ID back, and {@link #detachLogicalNode} does so before. An {@link
 * IntegerSequence} has a {@code close()}, since the integers that it has reserved are lost unless it gives them back.
 *
 * <p><b>Implementations of others.</b> A decorator that was written for snowcast 1 or 2 goes on to work. What is new is
 * a default method that calls the former ones, or, as {@link #layout}, {@link #epoch}, {@link #stats}, {@link
 * #tryNext} and {@link #nextAsync} do, throws {@link UnsupportedOperationException}. Sequencers of snowcast never throw it.
 *
 * <p>All methods are thread-safe.
 */
public interface SnowcastSequencer {
    /** {@return the name this sequencer was created with; versions 1 and 2 have this one and not {@link #name()}} */
    String getSequencerName();

    /** {@return the name this sequencer was created with} */
    default String name() {
        return getSequencerName();
    }

    /** {@return the layout of this sequencer's IDs} */
    default SnowcastLayout layout() {
        throw unsupported("layout()");
    }

    /** {@return the instant at which the time of this sequencer's IDs begins} */
    default SnowcastEpoch epoch() {
        throw unsupported("epoch()");
    }

    /** {@return what this instance has done, and how it is at present} Neither blocks nor calls the cluster. */
    default SequencerStats stats() {
        throw unsupported("stats()");
    }

    /**
     * {@return the next ID, which no other call ever returns}
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws SnowcastStateException if this sequencer is not Attached, or if the granted time is used up and the
     *     cluster does not extend it within 10 seconds
     * @throws SnowcastIllegalStateException if the time of the layout is used up
     */
    long next() throws InterruptedException;

    /**
     * {@return several IDs, in increasing order, in a new array} Faster than single calls; others are served between.
     *
     * @param count how many, 0 or more
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws InterruptedException if the thread is interrupted while it waits; none of the IDs is ever issued then
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    default long[] next(int count) throws InterruptedException {
        if (count < 0) {
            throw new IllegalArgumentException("count must be >= 0: " + count);
        }
        long[] ids = new long[count];
        next(ids, 0, count);
        return ids;
    }

    /**
     * Fills a part of an array with IDs, in increasing order, without allocation.
     *
     * <p>This default calls {@link #next()} for each, so the order is that of single calls; snowcast's are faster.
     *
     * @param ids the array
     * @param fromIndex the first index to fill
     * @param toIndex the index behind the last to fill
     * @throws NullPointerException if {@code ids} is null
     * @throws IndexOutOfBoundsException if the range is not within the array
     * @throws InterruptedException if the thread is interrupted while it waits; the array may then hold some IDs,
     *     which no other call returns
     * @throws SnowcastException with its subclasses, as for {@link #next()}
     */
    default void next(long[] ids, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, ids.length);
        for (int index = fromIndex; index < toIndex; index++) {
            ids[index] = next();
        }
    }

    /**
     * {@return the next ID, or empty when the counters of the present millisecond or the granted time are used up}
     * Never waits.
     *
     * @throws SnowcastStateException if this sequencer is not Attached
     * @throws SnowcastIllegalStateException if the time of the layout is used up
     */
    default OptionalLong tryNext() {
        throw unsupported("tryNext()");
    }

    /**
     * {@return what {@link #tryNext} returns, or {@code ifNone} instead of empty} Snowcast's sequencers allocate nothing.
     *
     * @param ifNone any number; 0 is never an ID
     * @throws SnowcastException as {@link #tryNext}, with its subclasses
     */
    default long tryNextOr(long ifNone) {
        return tryNext().orElse(ifNone);
    }

    /**
     * {@return a stage that completes with the next ID, at once if it can be had at once; a {@code CompletableFuture}} Never
     * waits, so it suits event loops and coroutines.
     *
     * <p>Calls that have to wait form a line, and one thread waits for all of it: first come, first served, in the order
     * that {@link #next()} has. The stage fails with what {@link #next()} throws: at once when this sequencer is detached or
     * ends; after 10 seconds without granted time, or up to 20 if it came while others waited. One that is cancelled gets no
     * ID; an ID that was taken for it is never issued twice.
     *
     * <p>Dependent actions run on the thread that adds them, or on a daemon thread that keeps no other call or lease waiting.
     */
    default CompletionStage<Long> nextAsync() {
        throw unsupported("nextAsync()");
    }

    /** {@return the present state} */
    SnowcastSequenceState getSequencerState();

    /**
     * Attaches this sequencer to a node ID, most likely another than before. One round trip to the cluster;
     * blocks. An interrupt ends the wait for the answer as a time-out does, and the thread stays interrupted.
     *
     * @return this
     * @throws SnowcastStateException if this sequencer is not Detached
     * @throws SnowcastNodeIdsExceededException if all node IDs are in use
     * @throws SnowcastIllegalStateException if this process's clock is further from cluster time than allowed, the
     *     sequencer's partition lost its data and waits (the message says until when), or the cluster is below the
     *     quorum of its split-brain protection
     * @throws SnowcastException if the cluster gives no answer within Hazelcast's call time-out (60 seconds by default)
     */
    SnowcastSequencer attachLogicalNode();

    /**
     * Gives the node ID back. When the call returns no thread gets an ID from this sequencer any more; calls
     * that wait fail. One round trip to the cluster; blocks and is not interruptible.
     *
     * <p>If the cluster cannot be reached the sequencer is Detached all the same, a warning is logged, and the cluster
     * frees the node ID when its lease has run out.
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
}
