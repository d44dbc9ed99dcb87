// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.flakeids;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.client.impl.protocol.task.MessageTask;
import com.hazelcast.flakeidgen.impl.client.NewIdBatchMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.util.collection.Int2ObjectHashMap;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;

/** Answers requests for Flake IDs in Hazelcast's place, for our names only. Found by its service file. */
public final class FlakeIdTaskFactoryProvider implements MessageTaskFactoryProvider {
    private static final HazelcastProperty PROPERTY = new HazelcastProperty(SnowcastProperty.FLAKE_IDS.key(), true);

    private final NodeEngineImpl nodeEngine;

    /**
     * Called by Hazelcast.
     *
     * @param nodeEngine that of the member
     */
    public FlakeIdTaskFactoryProvider(NodeEngine nodeEngine) {
        this.nodeEngine = (NodeEngineImpl) nodeEngine;
    }

    @Override
    public Int2ObjectHashMap<MessageTaskFactory> getFactories() {
        Int2ObjectHashMap<MessageTaskFactory> factories = new Int2ObjectHashMap<>();
        if (HazelcastVersion.refusal(nodeEngine.getConfig()::getProperty) == null && isSwitchedOn()) {
            FlakeIds flakeIds = new FlakeIds(nodeEngine);
            flakeIds.forbidOnMember();
            factories.put(
                    FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE,
                    (message, connection) -> task(flakeIds, message, connection));
        }
        return factories;
    }

    private boolean isSwitchedOn() {
        String text = nodeEngine.getProperties().getString(PROPERTY).trim();
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(PROPERTY.getName() + " must be true or false: " + text);
        }
        return text.equals("true");
    }

    private MessageTask task(FlakeIds flakeIds, ClientMessage message, Connection connection) {
        Node node = nodeEngine.getNode();
        return FlakeIdTask.isOurs(message)
                ? new FlakeIdTask(flakeIds, message, node, connection)
                : new NewIdBatchMessageTask(message, node, connection);
    }
}
