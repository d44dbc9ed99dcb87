// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider;
import com.hazelcast.internal.util.collection.Int2ObjectHashMap;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.wire.Call;

/** Makes members understand the messages of clients. Found by its service file. */
public record SnowcastMessageTaskFactoryProvider(NodeEngine nodeEngine) implements MessageTaskFactoryProvider {
    @Override
    public Int2ObjectHashMap<MessageTaskFactory> getFactories() {
        Int2ObjectHashMap<MessageTaskFactory> factories = new Int2ObjectHashMap<>();
        if (HazelcastVersion.refusal(nodeEngine.getConfig()::getProperty) == null) {
            for (Call<?, ?> call : Call.OF_CLIENTS) {
                factories.put(
                        call.requestType(),
                        (message, connection) -> new ClientRequestTask<>(
                                call, message, ((NodeEngineImpl) nodeEngine).getNode(), connection));
            }
        }
        return factories;
    }
}
