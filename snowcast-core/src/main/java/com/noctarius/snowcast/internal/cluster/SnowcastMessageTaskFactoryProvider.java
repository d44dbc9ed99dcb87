// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.flakeidgen.impl.client.NewIdBatchMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.util.collection.Int2ObjectHashMap;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.wire.RequestType;

/**
 * Registers the tasks that handle snowcast's client messages. Unless {@code snowcast.flake.ids} is false, also replaces
 * Hazelcast's task for Flake IDs where a generator's name begins with {@code snowcast:}. Hazelcast finds this class by
 * its service file.
 */
public record SnowcastMessageTaskFactoryProvider(NodeEngine nodeEngine) implements MessageTaskFactoryProvider {
    @Override
    public Int2ObjectHashMap<MessageTaskFactory> getFactories() {
        Int2ObjectHashMap<MessageTaskFactory> factories = new Int2ObjectHashMap<>();
        if (HazelcastVersion.refusal(nodeEngine.getConfig()::getProperty) == null) {
            for (RequestType<?, ?> type : RequestType.OF_CLIENTS) {
                factories.put(
                        type.requestType(),
                        (message, connection) -> new ClientRequestTask<>(type, message, node(), connection));
            }
            if (SnowcastProperty.FLAKE_IDS.isTrue(
                    Settings.text(nodeEngine.getProperties(), SnowcastProperty.FLAKE_IDS))) {
                factories.put(FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE, flakeIds());
            }
        }
        return factories;
    }

    private MessageTaskFactory flakeIds() {
        FlakeIds flakeIds = new FlakeIds(nodeEngine);
        flakeIds.forbidOnMember();
        return (message, connection) -> FlakeIds.Task.isOurs(message)
                ? new FlakeIds.Task(flakeIds, message, node(), connection)
                : new NewIdBatchMessageTask(message, node(), connection);
    }

    private Node node() {
        return ((NodeEngineImpl) nodeEngine).getNode();
    }
}
