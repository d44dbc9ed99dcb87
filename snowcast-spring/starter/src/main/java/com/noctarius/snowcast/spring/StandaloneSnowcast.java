// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Snowcast} without a cluster. All its sequencers and node leases have the same fixed node ID. Thread-safe.
 *
 * <p>All contexts of a JVM share the ID generators and, in test slices, the integers. Spring caches contexts for tests,
 * and several cached contexts may use the same database, so their IDs must differ.
 */
final class StandaloneSnowcast implements Snowcast {
    private static final Map<Range, MemoryBlockStore> MEMORY = new ConcurrentHashMap<>();

    /** The sequencers that any context has made. {@link SnowcastSystem} keeps them until the JVM ends, too. */
    private static final Set<SnowcastSequencer> KNOWN = ConcurrentHashMap.newKeySet();

    private final int logicalNodeId;
    private final Map<String, SnowcastSequencer> sequencers = new ConcurrentHashMap<>();
    private final Map<String, Open> sequences = new ConcurrentHashMap<>();
    private final Map<String, StandaloneNodeLease> nodeLeases = new ConcurrentHashMap<>();
    private final Set<UUID> listeners = ConcurrentHashMap.newKeySet();

    private record Open(IntegerSequenceConfig config, IntegerSequence sequence) {
        boolean isClosed() {
            return sequence.isClosed();
        }

        Open require(IntegerSequenceConfig wanted) {
            if (wanted.store() != config.store()
                    || wanted.firstValue() != config.firstValue()
                    || wanted.lastValue() != config.lastValue()) {
                throw new SnowcastSequencerAlreadyRegisteredException(
                        "there is " + config + ", so there cannot be " + wanted + "; use another name");
            }
            return this;
        }
    }

    private record Range(String name, long firstValue, long lastValue) {}

    StandaloneSnowcast(int logicalNodeId) {
        this.logicalNodeId = logicalNodeId;
    }

    @Override
    public SnowcastSequencer createSequencer(SequencerConfig config) {
        SnowcastSequencer sequencer = create(config);
        KNOWN.add(sequencer);
        return sequencer;
    }

    private SnowcastSequencer create(SequencerConfig config) {
        requireNode(
                config.layout().logicalNodeCount(),
                "sequencer " + config.name(),
                "give the sequencer a layout with more node IDs");
        SnowcastSequencer wanted = SnowcastSystem.standaloneSequencer(config, logicalNodeId);
        SnowcastSequencer present = sequencers.putIfAbsent(config.name(), wanted);
        if (present != null && present != wanted) {
            throw new SnowcastSequencerAlreadyRegisteredException("sequencer " + config.name() + " has "
                    + present.layout() + " and " + present.epoch() + ", so it cannot have " + config.layout() + " and "
                    + config.epoch());
        }
        return wanted;
    }

    private void requireNode(int nodeCount, String subject, String way) {
        if (logicalNodeId >= nodeCount) {
            throw new InvalidPropertyException(
                    PropertyNames.STANDALONE_NODE,
                    "must be 0 to " + (nodeCount - 1) + " for the " + subject + ": " + logicalNodeId,
                    "Set it to one of these, or " + way,
                    null);
        }
    }

    /**
     * Never blocks. A new sequencer is Detached although there is no cluster, because the caller attaches it later. A
     * sequencer that another context of the JVM has made is returned as it is.
     */
    @Override
    public SnowcastSequencer createDetachedSequencer(SequencerConfig config) {
        SnowcastSequencer sequencer = create(config);
        return KNOWN.add(sequencer) ? sequencer.detachLogicalNode() : sequencer;
    }

    @Override
    public Collection<SnowcastSequencer> sequencers() {
        return Set.copyOf(sequencers.values());
    }

    /** Always throws, because without a cluster or database there is no record of a destroyed sequencer's IDs. */
    @Override
    public void destroySequencer(SnowcastSequencer sequencer) {
        throw new UnsupportedOperationException(
                "sequencer " + sequencer.name() + " belongs to no cluster (" + PropertyNames.STANDALONE_NODE
                        + "), so it cannot be destroyed; to end its use, call detachLogicalNode()");
    }

    @Override
    public NodeLease leaseNode(NodeLeaseConfig config) {
        requireNode(config.maxNodeCount(), "node lease " + config.name(), "raise its max-nodes");
        StandaloneNodeLease lease = nodeLeases.compute(
                config.name(),
                (name, present) -> present == null || present.isClosed()
                        ? new StandaloneNodeLease(config, logicalNodeId)
                        : present);
        if (lease.maxNodeCount() != config.maxNodeCount()) {
            throw new SnowcastSequencerAlreadyRegisteredException("node lease " + config.name() + " has "
                    + lease.maxNodeCount() + " node IDs, so it cannot have " + config.maxNodeCount());
        }
        return lease;
    }

    @Override
    public Collection<NodeLease> nodeLeases() {
        return nodeLeases.values().stream()
                .filter(lease -> !lease.isClosed())
                .<NodeLease>map(lease -> lease)
                .toList();
    }

    @Override
    public IntegerSequence createIntegerSequence(IntegerSequenceConfig config) {
        return sequences
                .compute(
                        config.name(),
                        (name, present) -> present == null || present.isClosed()
                                ? new Open(config, SnowcastSystem.standaloneIntegerSequence(config))
                                : present.require(config))
                .sequence();
    }

    /** Returns a store in memory for a sequence of a test slice. Null stands for the default first or last value. */
    static BlockStore memory(String name, @Nullable Long firstValue, @Nullable Long lastValue) {
        Range wanted =
                new Range(name, firstValue == null ? 1 : firstValue, lastValue == null ? Long.MAX_VALUE : lastValue);
        return MEMORY.computeIfAbsent(wanted, range -> new MemoryBlockStore(range.firstValue(), range.lastValue()));
    }

    @Override
    public Collection<IntegerSequence> integerSequences() {
        return sequences.values().stream()
                .map(Open::sequence)
                .filter(sequence -> !sequence.isClosed())
                .toList();
    }

    /** Never calls the listener, because without a cluster there are no network splits. */
    @Override
    public UUID addPossibleDuplicatesListener(Consumer<PossibleDuplicates> listener) {
        UUID id = UUID.randomUUID();
        listeners.add(id);
        return id;
    }

    @Override
    public boolean removePossibleDuplicatesListener(UUID id) {
        return listeners.remove(id);
    }
}
