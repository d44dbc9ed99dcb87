// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Attaches a holder to a logical node. */
final class AttachOperation extends TableOperation<Reply<Grant>> {
    private @Nullable AttachRequest request;

    AttachOperation() {}

    AttachOperation(AttachRequest request) {
        this.request = request;
    }

    private AttachRequest request() {
        return Objects.requireNonNull(request);
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return request().definition().backupCount();
    }

    @Override
    boolean isForAllReplicas() {
        return true;
    }

    @Override
    Reply<Grant> change(PartitionContainer container, SnowcastService service) {
        service.requireReserved();
        NodeTable table = container.table(request().name());
        long nowMillis = service.clusterMillis();
        boolean creates = request().incarnation() == 0 && table.definition() == null;
        if (creates) {
            // Not backed up if it has to wait: a backup that does not hear of it takes IDs as issued that were not.
            table.releaseFormer(request());
        }
        if (creates && table.isSettling(request(), nowMillis)) {
            throw new RetryableHazelcastException("sequencer " + request().name() + " is being destroyed");
        }
        Set<Integer> touched = new HashSet<>();
        table.nodeOf(request().holder()).ifPresent(touched::add);
        Grant grant = table.attach(request(), nowMillis, service.rules());
        table.nodeOf(request().holder()).ifPresent(touched::add);
        container.put(request().name(), table);
        changed(table.change(touched));
        return SnowcastDataSerializerHook.reply(grant);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.ATTACH;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeAttachRequest(out, request());
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        request = Wire.readAttachRequest(in);
    }
}
