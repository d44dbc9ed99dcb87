// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec.RequestParameters;
import com.hazelcast.client.impl.protocol.task.AbstractCallableMessageTask;
import com.hazelcast.client.impl.protocol.task.BlockingMessageTask;
import com.hazelcast.config.Config;
import com.hazelcast.config.FlakeIdGeneratorConfig;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.DistributedObjectEvent;
import com.hazelcast.core.DistributedObjectListener;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.dynamicconfig.DynamicConfigurationAwareConfig;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.security.permission.ActionConstants;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.store.SequenceName;
import java.security.Permission;

/**
 * Serves Hazelcast's Flake ID generators whose names begin with {@code snowcast:}. A client without snowcast, in any
 * language, requests a batch of IDs from any member. The member takes the IDs from the sequencer whose name follows the
 * prefix, to which it first attaches, if necessary, with the definition that the cluster has. Thread-safe.
 */
record FlakeIds(NodeEngine nodeEngine) implements DistributedObjectListener {
    private static final String SEQUENCER = "snowcast:";
    /**
     * A batch has at most a quarter of the IDs of a millisecond. A sequencer takes up to that many at once, so the IDs
     * are usually consecutive, which a batch requires.
     */
    private static final int STEPS_PER_MILLISECOND = 4;

    static boolean isOurs(String generator) {
        return generator.startsWith(SEQUENCER);
    }

    /** Returns the name of the sequencer behind a generator. */
    static String nameOf(String generator) {
        return generator.substring(SEQUENCER.length());
    }

    /** Takes at most the requested number of consecutive IDs, and returns the encoded answer. May block. */
    ClientMessage take(String generator, int wanted) throws InterruptedException {
        String name = SequenceName.require(nameOf(generator));
        if (wanted < 1) {
            throw new IllegalArgumentException(generator + ": the size of a batch must be >= 1: " + wanted);
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

    private SnowcastSequencer sequencer(String name) {
        Snowcast snowcast = SnowcastSystem.snowcast(nodeEngine.getHazelcastInstance());
        return snowcast.sequencers().stream()
                .filter(own -> own.name().equals(name))
                .findFirst()
                .orElseGet(() -> snowcast.createSequencer(configOf(name)));
    }

    private SequencerConfig configOf(String name) {
        Definition definition = nodeEngine
                .<SnowcastService>getService(SnowcastService.NAME)
                .transport()
                .ask(RequestType.FIND, "the definition of " + name, name)
                .orElseThrow(() -> new SnowcastStateException("the cluster has no sequencer " + name
                        + "; a Flake ID generator creates none, snowcast has to"));
        if (definition.isNodeLease()) {
            throw new SnowcastStateException(
                    definition.called(name) + " has no IDs: a Flake ID generator needs a sequencer");
        }
        SequencerConfig.Builder config = SequencerConfig.builder(name)
                .epoch(Definition.epochOf(definition.epochOffset()))
                .layout(definition.layout())
                .backupCount(definition.backupCount());
        Long startAbove = definition.startAbove();
        return startAbove == null
                ? config.build()
                : config.startAbove(startAbove).build();
    }

    /**
     * Makes this member's own Flake ID generators fail if their names begin with {@code snowcast:}, because Hazelcast
     * computes their IDs locally: their epoch is so late that no present time fits. When such a generator is created,
     * {@link #distributedObjectCreated} logs the reason.
     */
    void forbidOnMember() {
        Config own = ((DynamicConfigurationAwareConfig) nodeEngine.getConfig()).getStaticConfig();
        own.addListenerConfig(new ListenerConfig(this));
        own.addFlakeIdGeneratorConfig(new FlakeIdGeneratorConfig(SEQUENCER + '*'));
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

    /** Handles a client's request for Flake IDs; runs on Hazelcast's threads for blocking tasks. */
    static final class Task extends AbstractCallableMessageTask<RequestParameters> implements BlockingMessageTask {
        private final FlakeIds flakeIds;

        Task(FlakeIds flakeIds, ClientMessage message, Node node, Connection connection) {
            super(message, node, connection);
            this.flakeIds = flakeIds;
        }

        /** Returns whether a request names a generator of snowcast; false if it is unreadable: Hazelcast rejects it. */
        static boolean isOurs(ClientMessage message) {
            try {
                return FlakeIds.isOurs(FlakeIdGeneratorNewIdBatchCodec.decodeRequest(message).name);
            } catch (RuntimeException e) {
                return false;
            }
        }

        @Override
        protected RequestParameters decodeClientMessage(ClientMessage message) {
            return FlakeIdGeneratorNewIdBatchCodec.decodeRequest(message);
        }

        @Override
        protected Object call() throws InterruptedException {
            return flakeIds.take(parameters.name, parameters.batchSize);
        }

        @Override
        protected ClientMessage encodeResponse(Object response) {
            return (ClientMessage) response;
        }

        @Override
        public String getServiceName() {
            return SnowcastService.NAME;
        }

        @Override
        public String getDistributedObjectName() {
            return FlakeIds.nameOf(parameters.name);
        }

        @Override
        public String getMethodName() {
            return "newIdBatch";
        }

        @Override
        public Object[] getParameters() {
            return new Object[] {parameters.batchSize};
        }

        /** Returns the permission that a client with snowcast needs to attach a sequencer. */
        @Override
        public Permission getRequiredPermission() {
            return new FlakeIdGeneratorPermission(
                    getDistributedObjectName(), ActionConstants.ACTION_CREATE, ActionConstants.ACTION_MODIFY);
        }
    }
}
