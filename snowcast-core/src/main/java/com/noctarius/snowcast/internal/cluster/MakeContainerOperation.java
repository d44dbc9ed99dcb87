// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import org.jspecify.annotations.Nullable;

/**
 * Gives a partition's owner and its backups a container, so that they know that nothing was there before; and lets
 * it begin after a start of the whole cluster: a wait that began with the first use of a name would come much too late.
 */
final class MakeContainerOperation extends TableOperation<Void> {
    @Override
    int requiredBackups(PartitionContainer container) {
        return 0;
    }

    /** It grants nothing. */
    @Override
    boolean needsBeginning() {
        return false;
    }

    @Override
    boolean grantsNothing() {
        return true;
    }

    @Override
    boolean isForAllReplicas() {
        return true;
    }

    @Override
    @Nullable
    Void change(PartitionContainer container, SnowcastService service) {
        service.beginIfKnown(container);
        return null;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.MAKE_CONTAINER;
    }

    @Override
    void write(ObjectDataOutput out) {}

    @Override
    void read(ObjectDataInput in) {}
}
