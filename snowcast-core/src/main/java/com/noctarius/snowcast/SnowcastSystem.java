// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.blocks.BlockSequence;
import com.noctarius.snowcast.internal.client.ClientSnowcast;
import com.noctarius.snowcast.internal.cluster.SnowcastService;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.leases.FixedNode;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The entry point of the API: returns the {@link Snowcast} of a {@code HazelcastInstance}, and creates sequencers and
 * integer sequences that need no cluster. Only {@link #clusterStatus} calls the cluster.
 *
 * <pre>{@code
 * Snowcast snowcast = SnowcastSystem.snowcast(hazelcastInstance);
 * SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
 * SnowcastSequencer orders = snowcast.createSequencer(
 *         SequencerConfig.builder("orders").epoch(epoch).layout(SnowcastLayout.POSITIVE).build());
 * long id = orders.next();
 * }</pre>
 *
 * <p>All methods throw {@link NullPointerException} for a null argument.
 */
public final class SnowcastSystem {
    private SnowcastSystem() {}

    /**
     * {@return the {@code Snowcast} of a member or a client, the same object for the same instance} Its sequencers and
     * node leases have one synchronous backup, unless an earlier call for the instance or their own configuration sets
     * another number.
     *
     * @param hazelcast a running member with snowcast on its class path, or a client of a cluster of such members. A
     *     proxy, as Spring creates it for {@code @Lazy} and {@code @RefreshScope}, stands for the instance behind it at
     *     the time of the call
     * @throws com.hazelcast.core.HazelcastInstanceNotActiveException if the instance was shut down
     * @throws SnowcastException if the instance is neither a client nor a member with snowcast on its class path, or if
     *     snowcast does not support its version of Hazelcast
     */
    public static Snowcast snowcast(HazelcastInstance hazelcast) {
        return snowcast(hazelcast, OptionalInt.empty());
    }

    /**
     * {@return the {@code Snowcast} of a member or a client, as {@link #snowcast(HazelcastInstance)} does} Its
     * sequencers and node leases have the given number of synchronous backups, unless their own configuration sets
     * another.
     *
     * @param hazelcast a member, client or proxy
     * @param backupCount the number of synchronous backups, 0 to 6
     * @throws IllegalArgumentException if the number is out of range, or if an earlier call has set another number for
     *     the instance; a first call without a number sets 1
     * @throws com.hazelcast.core.HazelcastInstanceNotActiveException if the instance was shut down
     * @throws SnowcastException as for {@link #snowcast(HazelcastInstance)}
     */
    public static Snowcast snowcast(HazelcastInstance hazelcast, int backupCount) {
        return snowcast(hazelcast, OptionalInt.of(SequencerConfig.requireBackupCount(backupCount)));
    }

    private static Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        Objects.requireNonNull(hazelcast, "hazelcast");
        HazelcastVersion.require(hazelcast);
        ClientSnowcast.requireRunning(hazelcast);
        Snowcast ofClient = ClientSnowcast.snowcast(hazelcast, backupCount);
        return ofClient == null ? SnowcastService.snowcast(hazelcast, backupCount) : ofClient;
    }

    /**
     * {@return the state of the cluster of a member or a client: which process holds which node ID} Works even while
     * the cluster grants no node ID, for example without a quorum or in the state {@code PASSIVE}. A member requests
     * the status from the owners of the partitions. A client requests it from a member, which reads one status at a
     * time and sends it to all waiting clients. Blocks and is interruptible, as {@link Snowcast} describes for its own
     * methods.
     *
     * @param hazelcast a member with snowcast on its class path, or a client of such members
     * @throws com.hazelcast.core.HazelcastInstanceNotActiveException if the instance was shut down
     * @throws SnowcastException if a member does not have this version of snowcast on its class path, or if the cluster
     *     cannot be reached or does not answer in time
     */
    public static ClusterStatus clusterStatus(HazelcastInstance hazelcast) {
        Objects.requireNonNull(hazelcast, "hazelcast");
        HazelcastVersion.require(hazelcast);
        ClientSnowcast.requireRunning(hazelcast);
        ClusterStatus ofClient = ClientSnowcast.status(hazelcast);
        return ofClient == null ? SnowcastService.status(hazelcast) : ofClient;
    }

    /**
     * {@return the sequencer with a fixed node ID, without a cluster} Within a class loader of snowcast, the same name,
     * epoch, layout and node ID give the same object, so that two callers never get the same ID. A new sequencer is
     * Attached. It can be detached and attached again; it cannot be destroyed, and stays in memory as long as the
     * process runs. Its counter start is that of the first call.
     *
     * <p>Its IDs are unique under two conditions. No other process, and no other web application with its own snowcast,
     * may use the same node ID, epoch and layout. When the process restarts, the clock must be past the time of the
     * last ID that the process issued. Lease and backup count of the configuration have no effect.
     *
     * <p>A single wrong reading of the clock has no effect on the IDs. If the clock steps forward by more than 10
     * seconds, for example when a suspended machine resumes, IDs continue from the time before the step until the clock
     * has shown the new time for 60 seconds. If the clock is set back, the time in IDs continues from the last ID at
     * half speed until the clock has caught up. Snowcast logs steps and wrong readings as warnings, with the logger of
     * {@link SnowcastSequencer}.
     *
     * @param config the configuration; the layout may have up to 16 bits of node IDs
     * @param logicalNodeId 0 to {@code config.layout().logicalNodeCount()} - 1
     * @throws IllegalArgumentException if the node ID is out of range
     * @throws SnowcastSequencerAlreadyRegisteredException if this process already has that sequencer with another
     *     {@linkplain SequencerConfig.Builder#startAbove start above}
     * @throws SnowcastUnavailableException if the clock shows a time before the epoch
     * @throws SnowcastIllegalStateException if the time of the layout is used up, or if IDs above {@code startAbove}
     *     would lie more than one second in the future
     */
    public static SnowcastSequencer standaloneSequencer(SequencerConfig config, int logicalNodeId) {
        return FixedNode.shared(config, logicalNodeId, SystemClock.INSTANCE);
    }

    /**
     * {@return a new, open integer sequence that uses the store of its configuration} Blocks while the store
     * {@linkplain com.noctarius.snowcast.store.BlockStore#prepare checks} the sequence. Reserves no block before the
     * first use of the sequence. Two sequences of one name and store never return the same integer, but each reserves
     * its own blocks, so create only one per process.
     *
     * @param config the configuration, with a store
     * @throws IllegalArgumentException if the configuration has no store
     * @throws com.noctarius.snowcast.store.NonTransientBlockStoreException if the store rejects the sequence
     */
    public static IntegerSequence standaloneIntegerSequence(IntegerSequenceConfig config) {
        return BlockSequence.standalone(config);
    }
}
