// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.table.NodeState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Looks into the tables of a member. */
public final class Tables {
    private Tables() {}

    /** Returns how many holders a sequencer has, as far as the owner of its partition knows. */
    public static long attached(HazelcastInstance owner, String name) {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(owner);
        SnowcastService service = nodeEngine.getService(SnowcastService.NAME);
        int partitionId = owner.getPartitionService().getPartition(name).getPartitionId();
        CompletableFuture<Long> count = new CompletableFuture<>();
        nodeEngine.getOperationService().execute(new PartitionSpecificRunnable() {
            @Override
            public int getPartitionId() {
                return partitionId;
            }

            @Override
            public void run() {
                count.complete(service.ownedContainer(partitionId).table(name).snapshotFor(0).nodes().stream()
                        .filter(NodeState::attached)
                        .count());
            }
        });
        return count.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
