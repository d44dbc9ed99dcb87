// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A lease of a worker ID (node ID) for an ID generator of another library, such as another Snowflake generator or a
 * TSID generator. Under the conditions of {@link SnowcastSequencer}, no two holders of one name have the same node ID
 * for overlapping periods.
 *
 * <pre>{@code
 * NodeLease lease = snowcast.leaseNode(NodeLeaseConfig.builder("tsid").maxNodeCount(1_024).build());
 * NodeLease.Generator ids = lease.generator(
 *         nodeId -> newGenerator(nodeId)::next,     // makes the other generator
 *         id -> timestampMillisOf(id));             // the time in an ID, in milliseconds since 1970
 * long id = ids.next();
 * }</pre>
 *
 * <p><b>The guard.</b> The cluster leases a node ID for the time from {@link #validFrom} to {@link #validUntil}. The
 * other generator does not check that period: in a process that was paused, or whose clock is wrong, it could use a
 * node ID that another process holds by now. The {@link #generator guarded generator} returns an ID only if the time in
 * the ID is leased. With the guard, no two calls on guarded generators of one name return the same ID, in any process,
 * under the conditions of {@link SnowcastSequencer}, and as long as the generator
 *
 * <ul>
 *   <li>never makes the same ID twice for one node ID within one millisecond, or within one unit of the generator's
 *       time if the unit is longer. (If the generator's clock is set back, the guard drops IDs with an earlier time
 *       than the last returned ID.)
 *   <li>is used through the guard only, and puts the complete node ID that it received into its IDs.
 * </ul>
 *
 * <p><b>Without the guard IDs may repeat.</b> {@link #nodeId}, {@link #onLost} and {@link #onChanged} are for programs
 * that need the number alone.
 *
 * <p>As long as a lease is open, all callers that lease a node ID under its name on its {@code HazelcastInstance} get
 * the same object. The shutdown of the {@code HazelcastInstance} closes the lease; {@link #close} closes it earlier,
 * for all callers.
 *
 * <p>All methods are thread-safe. They throw {@link NullPointerException} for a null argument.
 */
public interface NodeLease extends AutoCloseable {
    /** A guard around another generator, which returns an ID of that generator only if the ID's time is leased. */
    interface Generator extends LongSupplier {
        /**
         * {@return the next of the other generator's IDs whose time is leased}
         *
         * <p>The call drops an ID whose time is before {@link NodeLease#validFrom} or before the time of the last
         * returned ID, and calls the generator again. While the generator makes only such IDs, the call parks its
         * thread for up to 10 seconds. If the time of an ID is not before {@link NodeLease#validUntil}, the call waits
         * for a renewal that includes this time, also for up to 10 seconds. After a loss of the lease, the call waits
         * for the next lease, again for up to 10 seconds, and creates another generator for the node ID of the next
         * lease.
         *
         * <p>The call rethrows an exception of the other generator. But if the generator throws a
         * {@code RuntimeException} after its lease was lost, the call replaces the generator instead. A generator runs
         * on the caller's thread, without a lock: it must be thread-safe if several threads call this method.
         *
         * @throws InterruptedException if the thread is interrupted while it waits; no ID was returned
         * @throws SnowcastStateException if the lease was closed or destroyed, or if the wait has lasted 10 seconds;
         *     the message says why
         */
        long next() throws InterruptedException;

        /**
         * {@return the next ID, as {@link #next} does} An interrupt ends the wait with a
         * {@link SnowcastUnavailableException}, and the thread stays interrupted.
         */
        @Override
        long getAsLong();
    }

    /** {@return the name} */
    String name();

    /** {@return the number of node IDs, which range from 0 to this number - 1} */
    int maxNodeCount();

    /**
     * {@return the node ID} It may change after a loss of the lease; {@link #onChanged} reports the new one. Once
     * {@link #validUntil} has passed, IDs that you make with this node ID outside a {@link #generator guarded
     * generator} may equal IDs of another holder.
     *
     * @throws SnowcastStateException if there is no node ID: the lease was closed or destroyed, or was lost and is
     *     acquiring another node ID
     */
    int nodeId();

    /**
     * {@return the earliest time that an ID of the current node ID may have} A former holder may have used earlier
     * times.
     *
     * @throws SnowcastStateException as {@link #nodeId}
     */
    Instant validFrom();

    /**
     * {@return the end of the lease: IDs of the current node ID must have an earlier time} It moves forward when the
     * lease is renewed.
     *
     * @throws SnowcastStateException as {@link #nodeId}
     */
    Instant validUntil();

    /**
     * {@return a guard, which returns only those IDs of another generator whose time is leased}
     *
     * <p>A lease can have only one guarded generator, because two generators with the same node ID could repeat each
     * other's IDs.
     *
     * @param newGenerator makes the other generator for a node ID: now, and again in the first call after a loss of the
     *     lease. It must return a new generator each time, or one whose state was reset
     * @param timestampMillis returns the time in an ID, in milliseconds since 1970. If the generator's unit of time is
     *     longer than a millisecond, it must return the beginning of the unit
     * @throws NullPointerException if an argument is null, or {@code newGenerator} returns null
     * @throws IllegalStateException if the lease has a guarded generator already
     * @throws SnowcastStateException if the lease was closed or destroyed
     */
    Generator generator(IntFunction<? extends LongSupplier> newGenerator, LongUnaryOperator timestampMillis);

    /**
     * Adds a listener that is called when the node ID must no longer be used: the lease was lost or destroyed, or has
     * expired. Snowcast calls it with a delay, usually within a second, on one of the four threads that also acquire
     * replacements for lost leases. A listener that blocks can delay these replacements. Neither {@link #close} nor the
     * shutdown of the {@code HazelcastInstance} calls the listener.
     *
     * @param listener receives the node ID that was lost
     */
    void onLost(IntConsumer listener);

    /**
     * Adds a listener that is called when a node ID can be used again after {@link #onLost} has reported a loss:
     * another lease was acquired, or the expired lease was renewed after all. The node ID may be the same. The listener
     * is called after the same delay, and on the same threads, as a listener of {@link #onLost}.
     *
     * @param listener receives the new node ID
     */
    void onChanged(IntConsumer listener);

    /** {@return the counts and the current state of this lease} Neither blocks nor calls the cluster. */
    Stats stats();

    /**
     * Releases the node ID. Calls on the guarded generator that start after this call has returned fail with a
     * {@link SnowcastStateException}. Blocks for a round trip to the cluster and is not interruptible. If the cluster
     * cannot be reached, a warning is logged, and the node ID is free when its lease has expired. A second call has no
     * effect.
     *
     * <p>The name stays defined in the cluster: {@link Snowcast#leaseNode} can lease a node ID under it again.
     */
    @Override
    void close();

    /**
     * The counts and the current state of a lease. The counts never decrease. The values are read one after another,
     * not atomically.
     *
     * @param state Attached; Detached after the lease was closed or its {@code HazelcastInstance} was shut down; or
     *     Destroyed
     * @param nodeId the node ID; empty if the lease is not Attached, or is acquiring another node ID
     * @param lease the duration of the lease, counted from the grant or the last renewal; zero if there is no node ID
     * @param leaseRemaining how much of the lease is left, by this process's clock; zero if there is no node ID or the
     *     lease has expired
     * @param problem why there is no node ID, since when and why the lease cannot be renewed, or how far this process's
     *     clock is ahead of the time that IDs may have, or behind the IDs that were returned; empty if nothing is wrong
     * @param waitCount how often calls of the guarded generator had to wait
     * @param waitTime how long these calls waited in total
     * @param renewalCount renewals of the lease
     * @param renewalFailureCount failed renewals: no answer came in time, or the answer did not extend the lease
     * @param leaseLossCount how often the node ID was lost, because the cluster no longer had the grant or was replaced
     *     by another cluster, or because the generator's IDs were ahead of the clock; the lease then acquires another
     *     node ID by itself
     */
    record Stats(
            SnowcastSequenceState state,
            OptionalInt nodeId,
            Duration lease,
            Duration leaseRemaining,
            String problem,
            long waitCount,
            Duration waitTime,
            long renewalCount,
            long renewalFailureCount,
            long leaseLossCount) {}
}
