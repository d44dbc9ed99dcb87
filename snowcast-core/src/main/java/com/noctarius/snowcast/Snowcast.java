// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.hazelcast.core.HazelcastInstance;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The factory and registry of the sequencers, node leases and integer sequences of one {@code HazelcastInstance}.
 * {@link SnowcastSystem} returns it. A {@code JdbcSnowcast} implements the same methods with a database in place of the
 * cluster.
 *
 * <p><b>Blocking.</b> These methods usually make a round trip to the cluster and block for it:
 * {@link #createSequencer}, {@link #destroySequencer}, {@link #leaseNode} and {@link #destroyNodeLease}. A member waits
 * for an answer for at most Hazelcast's call time-out, 60 seconds by default; a client for at most its invocation
 * time-out, 120 seconds by default. An interrupt ends the wait in the same way as the time-out, with a
 * {@link SnowcastUnavailableException}, and the thread stays interrupted. Destroying an Attached instance takes a
 * second round trip, which releases the node ID and cannot be interrupted. {@link #createIntegerSequence} blocks while
 * the store checks the sequence. The other methods do not wait for the cluster.
 *
 * <p>All methods are thread-safe. They throw {@link NullPointerException} for a null argument.
 *
 * <p>A decorator that was written for snowcast 1 or 2 continues to work, because every method that was added since has
 * a default implementation. If the old methods cannot implement a new one, its default throws
 * {@link UnsupportedOperationException}, except for {@link #metrics}; snowcast's own implementation never throws it.
 */
public interface Snowcast {
    // In the class file, the parameters of these two methods have the type Object. Spring reads the methods of each
    // bean's class, and would fail on HazelcastInstance in an application that uses SQL and has no Hazelcast on its
    // class path. Error Prone's @InlineMe is missing because it would make Error Prone a dependency of users.

    /**
     * {@return the {@code Snowcast} of a member or a client, as in snowcast 2}
     *
     * @param <H> HazelcastInstance
     * @param hazelcast a running member or client
     * @deprecated use {@link SnowcastSystem#snowcast(HazelcastInstance)}, which documents the exceptions
     */
    @Deprecated(since = "3.0.0")
    @SuppressWarnings({"InlineMeSuggester", "ExtendsObject"})
    static <H extends Object & HazelcastInstance> Snowcast snowcast(H hazelcast) {
        return SnowcastSystem.snowcast(hazelcast);
    }

    /**
     * {@return the {@code Snowcast} of a member or a client, as in snowcast 2}
     *
     * @param <H> HazelcastInstance
     * @param hazelcast a running member or client
     * @param backupCount the number of synchronous backups, 0 to 6
     * @deprecated use {@link SnowcastSystem#snowcast(HazelcastInstance, int)}, which documents the exceptions
     */
    @Deprecated(since = "3.0.0")
    @SuppressWarnings({"InlineMeSuggester", "ExtendsObject"})
    static <H extends Object & HazelcastInstance> Snowcast snowcast(H hazelcast, int backupCount) {
        return SnowcastSystem.snowcast(hazelcast, backupCount);
    }

    /**
     * {@return a new or existing sequencer of the default layout, see {@link #createSequencer(SequencerConfig)}}
     *
     * @param name the name, the same on every member and client
     * @param epoch the epoch, the same on every member and client
     */
    default SnowcastSequencer createSequencer(String name, SnowcastEpoch epoch) {
        return createSequencer(SequencerConfig.builder(name).epoch(epoch).build());
    }

    /**
     * {@return a new or existing sequencer whose layout has at least {@code maxLogicalNodeCount} node IDs, see
     * {@link #createSequencer(SequencerConfig)}}
     *
     * @param name the name, the same on every member and client
     * @param epoch the epoch, the same on every member and client
     * @param maxLogicalNodeCount 128 to 8,192, rounded up to a power of two
     * @throws SnowcastMaxLogicalNodeIdOutOfBoundsException if the number is out of range
     */
    default SnowcastSequencer createSequencer(String name, SnowcastEpoch epoch, int maxLogicalNodeCount) {
        return createSequencer(SequencerConfig.builder(name)
                .epoch(epoch)
                .maxLogicalNodeCount(maxLogicalNodeCount)
                .build());
    }

    /**
     * Creates a sequencer and acquires a node ID for it, or returns the sequencer that this {@code HazelcastInstance}
     * already has under the name, which may be Detached. Blocks for a round trip to the cluster if the sequencer is
     * new.
     *
     * <p>The <em>definition</em> of a sequencer is its epoch, layout, backup count and
     * {@linkplain SequencerConfig.Builder#startAbove start above}. It is the same in the whole cluster until the
     * sequencer is destroyed. Counter start and lease belong to the returned object: a later call that returns the same
     * object does not change them.
     *
     * <p>A call that fails adds no sequencer to this {@code HazelcastInstance}. If the answer was lost, the cluster may
     * have created the sequencer, and a node ID may stay reserved for lease + skew. It is safe to call again.
     *
     * @param config the configuration
     * @return the sequencer, Attached if it is new
     * @throws SnowcastSequencerAlreadyRegisteredException if the name is in use with another definition; the existing
     *     sequencer is unchanged
     * @throws SnowcastNodeIdsExceededException if all node IDs are in use; the message says when the next one is free
     * @throws SnowcastUnavailableException if the cluster cannot grant a node ID at present, but the same call may
     *     succeed later
     * @throws SnowcastIllegalStateException if this process's clock differs from cluster time by more than the allowed
     *     skew; if the time of the layout is used up; if {@code snowcast.node.id.range} contains no node ID of the
     *     layout; or if IDs above {@code startAbove}, or above the IDs of a destroyed sequencer of the name, would lie
     *     too far in the future
     * @throws IllegalArgumentException if the lease is longer than the cluster's {@code snowcast.lease.millis}, or the
     *     layout has more than 13 bits for the node ID
     * @throws SnowcastStateException if the {@code HazelcastInstance} was shut down
     * @throws SnowcastException if a data member does not have this version of snowcast on its class path, or if the
     *     request fails for another reason that is probably permanent
     */
    default SnowcastSequencer createSequencer(SequencerConfig config) {
        throw unsupported("createSequencer(SequencerConfig)");
    }

    /**
     * {@return a new, Detached sequencer, or the one that this {@code HazelcastInstance} already has under the name}
     * Makes no call to the cluster; waits only while another thread creates a sequencer or node lease of that name.
     * {@link SnowcastSequencer#attachLogicalNode()} creates the sequencer in the cluster if it does not exist there.
     * Until then, {@link #sequencers()} does not contain it.
     *
     * @param config the configuration
     * @throws SnowcastSequencerAlreadyRegisteredException if this {@code HazelcastInstance} has the name with another
     *     definition
     * @throws IllegalArgumentException if the layout has more than 13 bits for the node ID
     * @throws SnowcastUnavailableException if the thread is interrupted while it waits for another thread that creates
     *     the sequencer
     * @throws SnowcastStateException if the {@code HazelcastInstance} was shut down
     */
    default SnowcastSequencer createDetachedSequencer(SequencerConfig config) {
        throw unsupported("createDetachedSequencer");
    }

    /**
     * {@return the sequencers that this {@code HazelcastInstance} has, without those that are Destroyed or were never
     * attached} A copy, in no particular order.
     */
    default Collection<SnowcastSequencer> sequencers() {
        throw unsupported("sequencers()");
    }

    /**
     * Destroys a sequencer in the whole cluster. When the call returns, the instances of the sequencer on all members
     * that can be reached are Destroyed, and so is the instance of the client that made the call. Instances of other
     * clients become Destroyed within a second. An instance of a member or client that cannot be reached becomes
     * Destroyed when it next renews its lease or attaches. The call does not affect other instances that were never
     * attached: they stay Detached. A sequencer of that name may be created again, even with another definition. The
     * IDs of the new sequencer are greater, in unsigned order, than all IDs ever issued under the name.
     *
     * <p>If the given instance is Destroyed already, the call does not affect a sequencer that was created under the
     * name later. If the given instance was never attached, it becomes Destroyed without a call to the cluster, and
     * other instances of the name continue. If the cluster has lost the data of the sequencer, or has another one of
     * the name, nothing else is destroyed; a warning in the log then says what to do.
     *
     * @param sequencer the sequencer
     * @throws IllegalArgumentException if {@code sequencer} was not created by this {@code Snowcast}
     * @throws SnowcastException if the cluster cannot be reached; the local instance is Destroyed anyway, and the call
     *     may be repeated
     */
    void destroySequencer(SnowcastSequencer sequencer);

    /**
     * Leases a worker ID (node ID) for an ID generator of another library, or returns the lease that this
     * {@code HazelcastInstance} already has under the name. Blocks for a round trip to the cluster if the lease is new.
     * {@link NodeLease} describes its use.
     *
     * <p>The definition of a node lease is its maximum number of node IDs and its backup count. It is the same in the
     * whole cluster until the lease is {@linkplain #destroyNodeLease destroyed}. A node lease and a sequencer cannot
     * have the same name.
     *
     * @param config the configuration
     * @return the lease
     * @throws SnowcastSequencerAlreadyRegisteredException if the name is in use with another definition, or by a
     *     sequencer
     * @throws SnowcastNodeIdsExceededException if all node IDs are in use; the message says when the next one is free
     * @throws SnowcastUnavailableException if the cluster cannot lease a node ID at present, but the same call may
     *     succeed later
     * @throws SnowcastIllegalStateException if this process's clock differs from cluster time by more than the allowed
     *     skew, or if {@code snowcast.node.id.range} contains none of the node IDs
     * @throws IllegalArgumentException if the lease is longer than the cluster's {@code snowcast.lease.millis}
     * @throws SnowcastStateException if the {@code HazelcastInstance} was shut down
     * @throws SnowcastException as for {@link #createSequencer(SequencerConfig)}
     */
    default NodeLease leaseNode(NodeLeaseConfig config) {
        throw unsupported("leaseNode");
    }

    /**
     * {@return the node leases that this {@code HazelcastInstance} has, without those that are closed or destroyed} A
     * copy, in no particular order.
     */
    default Collection<NodeLease> nodeLeases() {
        throw unsupported("nodeLeases()");
    }

    /**
     * Destroys a node lease in the whole cluster: all holders of the name lose their node IDs, as with
     * {@link #destroySequencer}. The name may be leased again, even with another number of node IDs. The IDs of the new
     * guarded generators then have later times than all IDs that the former ones returned.
     *
     * @param lease the lease
     * @throws IllegalArgumentException if {@code lease} was not leased by this {@code Snowcast}
     * @throws SnowcastException if the cluster cannot be reached; the local lease is Destroyed anyway, and the call may
     *     be repeated
     */
    default void destroyNodeLease(NodeLease lease) {
        throw unsupported("destroyNodeLease");
    }

    /**
     * Adds a listener for possible duplicate IDs. After a network split without split-brain protection, both sides may
     * continue and grant the same node ID. When the sides merge, snowcast calls every listener of the cluster once for
     * each such node ID, or once for all node IDs of a name. It calls the listeners of a client only if the client has
     * attached a sequencer or leased a node ID.
     *
     * <p>A thread of Hazelcast calls the listener, which should return soon. Snowcast catches all exceptions of the
     * listener, and logs at least the first.
     *
     * @param listener the listener
     * @return the ID of the listener, for {@link #removePossibleDuplicatesListener}
     */
    default UUID addPossibleDuplicatesListener(Consumer<PossibleDuplicates> listener) {
        throw unsupported("addPossibleDuplicatesListener");
    }

    /**
     * Creates an integer sequence, or returns the open instance that this {@code Snowcast} has under that name. A new
     * sequence reserves no integer before its first use. It never uses the Hazelcast cluster. The call blocks while the
     * store {@linkplain com.noctarius.snowcast.store.BlockStore#prepare checks} the sequence.
     *
     * <p>Block size, prefetch threshold and maximum wait belong to an instance: a later call that returns the same
     * instance does not change them. {@link IntegerSequence#close()} closes the instance; the store keeps the sequence.
     *
     * @param config the configuration
     * @return the sequence, open
     * @throws IllegalArgumentException if neither the configuration nor this {@code Snowcast} has a store
     * @throws SnowcastSequencerAlreadyRegisteredException if this {@code Snowcast} has a sequence of that name with
     *     another first value, last value or store; the existing sequence is unchanged
     * @throws com.noctarius.snowcast.store.NonTransientBlockStoreException if the store does not have the sequence,
     *     gives it integers below the first value, or cannot be used with its present configuration
     * @throws SnowcastUnavailableException if the thread is interrupted while it waits for another thread that creates
     *     the sequence
     * @throws SnowcastStateException if this {@code Snowcast} was shut down
     */
    default IntegerSequence createIntegerSequence(IntegerSequenceConfig config) {
        throw unsupported("createIntegerSequence");
    }

    /**
     * {@return the integer sequences that this {@code Snowcast} has, without those that are closed} A copy, in no
     * particular order.
     */
    default Collection<IntegerSequence> integerSequences() {
        throw unsupported("integerSequences()");
    }

    /**
     * Removes a listener.
     *
     * @param id the ID that {@link #addPossibleDuplicatesListener} returned
     * @return whether there was such a listener
     */
    default boolean removePossibleDuplicatesListener(UUID id) {
        throw unsupported("removePossibleDuplicatesListener");
    }

    /**
     * {@return the metrics of this {@code Snowcast}; empty if there are none} A copy, in no particular order. Times are
     * in milliseconds. Does not block.
     *
     * <p>As a side effect, the call may start a new count of node IDs in the background: of the sequencers and node
     * leases that this {@code Snowcast} has and, on a member, of those whose partitions the member owns. A later call
     * returns that count, so call this method periodically.
     */
    default Collection<Metric> metrics() {
        return List.of();
    }

    private UnsupportedOperationException unsupported(String method) {
        return new UnsupportedOperationException(getClass().getName() + " does not implement " + method);
    }

    /**
     * A metric of a {@link Snowcast}. Hazelcast's metrics of a {@code HazelcastInstance} show it with the prefix
     * {@code snowcast}.
     *
     * @param name the metric, such as {@code attachedNodeIds}
     * @param tag the kind of object that the metric belongs to: {@code name} for a sequencer, and for the counts of
     *     node IDs of a node lease; {@code lease} for the other metrics of a node lease; {@code sequence} for an
     *     integer sequence; empty for a metric of the whole instance
     * @param of the name of that sequencer, node lease or integer sequence; empty for a metric of the whole instance
     * @param value a count, a time in milliseconds, or 1 for yes and 0 for no
     */
    record Metric(String name, String tag, String of, long value) {}
}
