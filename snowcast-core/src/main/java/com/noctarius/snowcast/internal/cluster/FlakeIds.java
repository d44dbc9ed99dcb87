// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.config.Config;
import com.hazelcast.config.FlakeIdGeneratorConfig;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.DistributedObjectEvent;
import com.hazelcast.core.DistributedObjectListener;
import com.hazelcast.internal.dynamicconfig.DynamicConfigurationAwareConfig;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.holder.BlockSequence;
import com.noctarius.snowcast.internal.holder.Transport;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed.Kind;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.RequestType.Definitions;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.SequenceName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast's Flake ID generators whose names begin with {@code snowcast:} or {@code snowcast-int:}. Clients without
 * snowcast, in whatever language, ask any member for a batch: it takes one from its own sequencer or integer sequence
 * of the name, and attaches to that of the cluster if it has none. What the cluster does not have is an error.
 *
 * <p>A member's own generators send no request: Hazelcast computes their IDs in place. Those of our names fail.
 * Thread-safe.
 */
final class FlakeIds implements DistributedObjectListener {
    private static final String SEQUENCER = "snowcast:";
    private static final String INTEGERS = "snowcast-int:";
    /** As many as {@link SnowcastSequencer#next(long[], int, int)} takes at once, so that mostly there is no gap. */
    private static final int STEPS_PER_MILLISECOND = 4;

    private final NodeEngine nodeEngine;
    private final Map<String, SnowcastSequencer> sequencers = new ConcurrentHashMap<>();
    private final Map<String, BlockSequence> sequences = new ConcurrentHashMap<>();

    FlakeIds(NodeEngine nodeEngine) {
        this.nodeEngine = nodeEngine;
    }

    static boolean isOurs(String generator) {
        return generator.startsWith(SEQUENCER) || generator.startsWith(INTEGERS);
    }

    /** Returns the name of the sequencer or integer sequence that a generator stands for. */
    static String nameOf(String generator) {
        return generator.substring(generator.indexOf(':') + 1);
    }

    /** Takes a batch, at most as large as wanted, and returns it as it is sent. Blocks as the calls of the API do. */
    ClientMessage take(String generator, int wanted) throws InterruptedException {
        String name = SequenceName.require(nameOf(generator));
        if (wanted < 1) {
            throw new IllegalArgumentException(generator + ": the size of a batch must be >= 1: " + wanted);
        }
        if (generator.startsWith(INTEGERS)) {
            Block block = sequence(name).nextRun(wanted);
            return FlakeIdGeneratorNewIdBatchCodec.encodeResponse(block.first(), block.step(), (int) block.count());
        }
        SnowcastSequencer sequencer = sequencer(name);
        int step = Math.max(sequencer.layout().idsPerMillisecond() / STEPS_PER_MILLISECOND, 1);
        long[] ids = sequencer.next(Math.min(wanted, step));
        int count = 1;
        while (count < ids.length && ids[count] == ids[0] + count) {
            count++;
        }
        return FlakeIdGeneratorNewIdBatchCodec.encodeResponse(ids[0], 1, count);
    }

    private Snowcast snowcast() {
        return SnowcastSystem.snowcast(nodeEngine.getHazelcastInstance());
    }

    private SnowcastSequencer sequencer(String name) {
        SnowcastSequencer known = sequencers.get(name);
        if (known == null || known.getSequencerState() == SnowcastSequenceState.Destroyed) {
            sequencers.remove(name);
            known = snowcast().sequencers().stream()
                    .filter(own -> own.name().equals(name))
                    .findFirst()
                    .orElseGet(() -> attach(name, found(find(name).sequencer(), Kind.SEQUENCER, name)));
            sequencers.put(name, known);
        }
        return known;
    }

    private SnowcastSequencer attach(String name, Definition definition) {
        if (definition.isNodeLease()) {
            throw new SnowcastStateException(
                    definition.called(name) + " has no IDs: a Flake ID generator needs a sequencer");
        }
        SequencerConfig.Builder config = SequencerConfig.builder(name)
                .epoch(SnowcastEpoch.byTimestamp(definition.epochOffset()))
                .layout(definition.layout())
                .backupCount(definition.backupCount());
        Long startAbove = definition.startAbove();
        if (startAbove != null) {
            config.startAbove(startAbove);
        }
        return snowcast().createSequencer(config.build());
    }

    private BlockSequence sequence(String name) {
        BlockSequence known = sequences.get(name);
        if (known == null || known.isClosed()) {
            sequences.remove(name);
            IntegerSequence own = snowcast().integerSequences().stream()
                    .filter(present -> present.name().equals(name))
                    .findFirst()
                    .orElseGet(() -> open(name, found(find(name).integers(), Kind.INTEGER_SEQUENCE, name)));
            if (!(own instanceof BlockSequence blocks)) {
                throw inClusterOrder(name);
            }
            known = blocks;
            sequences.put(name, known);
        }
        return known;
    }

    private IntegerSequence open(String name, PoolDefinition definition) {
        if (definition.isInClusterOrder()) {
            throw inClusterOrder(name);
        }
        return snowcast()
                .createIntegerSequence(IntegerSequenceConfig.builder(name)
                        .firstValue(definition.firstValue())
                        .lastValue(definition.lastValue())
                        .backupCount(definition.backupCount())
                        .build());
    }

    private static SnowcastStateException inClusterOrder(String name) {
        return new SnowcastStateException(
                "integer sequence " + name + " has Ordering.CLUSTER, which the clients of other"
                        + " languages cannot keep: they hand out the integers of a batch later");
    }

    private Definitions find(String name) {
        Transport transport =
                nodeEngine.<SnowcastService>getService(SnowcastService.NAME).transport();
        return transport.ask(RequestType.FIND, "the definition of " + name, name);
    }

    private static <D> D found(@Nullable D definition, Kind kind, String name) {
        if (definition == null) {
            throw new SnowcastStateException(
                    "the cluster has no " + kind + ' ' + name + "; a Flake ID generator creates none, snowcast has to");
        }
        return definition;
    }

    // --- a member's own generators

    /** Makes them fail, since no moment lies in the time of their layout, and logs why. */
    void forbidOnMember() {
        Config own = ((DynamicConfigurationAwareConfig) nodeEngine.getConfig()).getStaticConfig();
        own.addListenerConfig(new ListenerConfig(this));
        own.addFlakeIdGeneratorConfig(new FlakeIdGeneratorConfig(SEQUENCER + '*'));
        own.addFlakeIdGeneratorConfig(new FlakeIdGeneratorConfig(INTEGERS + '*'));
        own.getFlakeIdGeneratorConfigs().values().stream()
                .filter(each -> isOurs(each.getName()))
                .forEach(each -> each.setEpochStart(Long.MAX_VALUE));
    }

    @Override
    public void distributedObjectCreated(DistributedObjectEvent event) {
        String generator = event.getObjectName().toString();
        if (isOurs(generator)
                && event.getSource().equals(nodeEngine.getLocalMember().getUuid())) {
            nodeEngine
                    .getLogger(FlakeIds.class)
                    .severe("getFlakeIdGenerator(\"" + generator
                            + "\") is for clients. On this member it has no IDs and"
                            + " fails (\"Current time out of allowed range\"); use SnowcastSystem.snowcast(hazelcast)");
        }
    }

    @Override
    public void distributedObjectDestroyed(DistributedObjectEvent event) {}
}
