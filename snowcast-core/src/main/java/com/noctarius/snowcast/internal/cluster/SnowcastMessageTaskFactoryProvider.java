// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.util.collection.Int2ObjectHashMap;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.internal.wire.Call;

/** Makes members understand the messages of clients. Found by its service file. */
public final class SnowcastMessageTaskFactoryProvider implements MessageTaskFactoryProvider {
    private final Node node;

    /** Called by Hazelcast. */
    public SnowcastMessageTaskFactoryProvider(NodeEngine nodeEngine) {
        this.node = nodeEngine.getNode();
    }

    @Override
    public Int2ObjectHashMap<MessageTaskFactory> getFactories() {
        Int2ObjectHashMap<MessageTaskFactory> factories = new Int2ObjectHashMap<>();
        for (Call<?, ?> call : Call.OF_CLIENTS) {
            factories.put(
                    call.requestType(),
                    (message, connection) -> new ClientRequestTask<>(call, message, node, connection));
        }
        return factories;
    }
}
