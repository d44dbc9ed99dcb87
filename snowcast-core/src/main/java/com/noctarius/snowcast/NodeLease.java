// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A node ID for a generator that is not snowcast's, such as the worker ID of another Snowflake generator or the node of
 * a TSID. No two holders of one name have the same node ID for the same time, on all members and clients of the
 * cluster.
 *
 * <pre>{@code
 * NodeLease lease = snowcast.leaseNode(NodeLeaseConfig.builder("tsid").maxNodeCount(1_024).build());
 * NodeLease.Generator ids = lease.generator(
 *         nodeId -> newGenerator(nodeId)::next,     // makes the other generator
 *         id -> timestampMillisOf(id));             // the time in an ID, in milliseconds since 1970
 * long id = ids.next();
 * }</pre>
 *
 * <p><b>The guard.</b> A node ID is leased for the time from {@link #validFrom} to {@link #validUntil}. A generator
 * knows nothing of that: a process that was paused, or whose clock is wrong, would use a node ID that is another
 * process's by now. The {@link #generator guarded generator} lets an ID out only if the time in the ID is leased. With
 * it, no two calls on guarded generators of one name return the same ID, in any process, as long as the generator
 *
 * <ul>
 *   <li>never makes the same ID twice for one node ID within one millisecond, or whatever its unit of time is. IDs that
 *       it makes for an earlier time, after its clock was set back, are dropped;
 *   <li>is used through the guard only, and in each process the whole node ID that it was given goes into its IDs.
 * </ul>
 *
 * <p><b>Without the guard nothing is promised.</b> {@link #nodeId}, {@link #onLost} and {@link #onChanged} are for
 * programs that need the number alone.
 *
 * <p>All callers that lease a node of one name on one {@code HazelcastInstance} get the same object. The shutdown of
 * the {@code HazelcastInstance} gives the node ID back; {@link #close} does so earlier, for all callers.
 *
 * <p>All methods are thread-safe.
 */
public interface NodeLease extends AutoCloseable {
    /** Makes IDs by another generator, and lets out those whose time is leased. */
    interface Generator extends LongSupplier {
        /**
         * {@return the next ID of the other generator whose time is leased}
         *
         * <p>IDs whose time is not leased are dropped, and the generator is asked again. The call waits, parked, for up
         * to 10 seconds: while the generator's clock is behind {@link NodeLease#validFrom} or the last ID that was let
         * out, and while the lease has ended and the cluster does not extend it. After a loss of the lease, the call
         * makes another generator, for the node ID that comes next.
         *
         * <p>What the other generator throws, the call throws. It calls the generator on the thread of the caller, and
         * on several at a time: the generator must be thread-safe if this method is called by several threads.
         *
         * @throws InterruptedException if the thread is interrupted while it waits; no ID was let out
         * @throws SnowcastStateException if the lease was closed or destroyed, or if the wait has lasted 10 seconds;
         *     the message has the times, and since when and why the lease cannot be extended
         */
        long next() throws InterruptedException;

        /**
         * {@return the next ID, as {@link #next}} An interrupt ends the wait with a
         * {@link SnowcastUnavailableException}, and the thread stays interrupted.
         */
        @Override
        long getAsLong();
    }

    /** {@return the name} */
    String name();

    /** {@return how many node IDs there are: each is 0 to this number - 1} */
    int maxNodeCount();

    /**
     * {@return the node ID} It changes when the lease is lost; {@link #onChanged} says so. IDs that are made with it
     * outside a {@link #generator guarded generator} may repeat those of another holder once {@link #validUntil} has
     * passed.
     *
     * @throws SnowcastStateException if there is none: the lease was closed or destroyed, or was lost and attaches to
     *     another node ID at the moment
     */
    int nodeId();

    /**
     * {@return the first time that an ID of the present node ID may have} A former holder may have used the time
     * before.
     *
     * @throws SnowcastStateException as {@link #nodeId}
     */
    Instant validFrom();

    /**
     * {@return the time that no ID of the present node ID may have or exceed} It moves on as the lease is extended.
     *
     * @throws SnowcastStateException as {@link #nodeId}
     */
    Instant validUntil();

    /**
     * {@return a generator whose IDs are those of another one, as far as their time is leased}
     *
     * <p>A lease has one guarded generator. Two with the same node ID would repeat each other's IDs.
     *
     * @param newGenerator makes the other generator for a node ID: once now, and again each time that the lease was
     *     lost. It must be a new one each time, or one that has forgotten its former state
     * @param timestampMillis returns the time in an ID, in milliseconds since 1970. For a generator whose unit of time
     *     is longer than a millisecond: the beginning of the unit
     * @throws IllegalStateException if the lease has a guarded generator already
     * @throws SnowcastStateException if the lease was closed or destroyed
     */
    Generator generator(IntFunction<? extends LongSupplier> newGenerator, LongUnaryOperator timestampMillis);

    /**
     * Adds a listener that is called when the node ID must not be used any more: the lease was lost or destroyed, or
     * has ended and was not extended. It is called some time later, usually within a second, on one of four threads of
     * snowcast that also attach leases again: a listener may wait, and delays those meanwhile. Neither {@link #close}
     * nor the shutdown of the {@code HazelcastInstance} calls it.
     *
     * @param listener takes the node ID that was lost
     */
    void onLost(IntConsumer listener);

    /**
     * Adds a listener that is called when there is a node ID again after {@link #onLost}, which may be the same. It is
     * called as {@link #onLost} says.
     *
     * @param listener takes the new node ID
     */
    void onChanged(IntConsumer listener);

    /** {@return what this lease has done, and how it is at present} Neither blocks nor calls the cluster. */
    NodeLeaseStats stats();

    /**
     * Gives the node ID back. When the call returns, no call on the guarded generator lets an ID out that begins later.
     * Blocks for a round trip to the cluster and is not interruptible. If the cluster cannot be reached, a warning is
     * logged, and the node ID is free when its lease has run out. Has no effect if it was called before.
     *
     * <p>The name stays defined in the cluster, and {@link Snowcast#leaseNode} leases another node ID of it.
     */
    @Override
    void close();
}
