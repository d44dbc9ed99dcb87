// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec.RequestParameters;
import com.hazelcast.client.impl.protocol.task.AbstractCallableMessageTask;
import com.hazelcast.client.impl.protocol.task.BlockingMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.security.permission.ActionConstants;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import java.security.Permission;

/** Handles a client's request for Flake IDs, see {@link FlakeIds}; runs on Hazelcast's threads for blocking tasks. */
final class FlakeIdTask extends AbstractCallableMessageTask<RequestParameters> implements BlockingMessageTask {
    private final FlakeIds flakeIds;

    FlakeIdTask(FlakeIds flakeIds, ClientMessage message, Node node, Connection connection) {
        super(message, node, connection);
        this.flakeIds = flakeIds;
    }

    /**
     * Returns whether a request names a generator of snowcast; false if it is unreadable, because Hazelcast rejects it.
     */
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
