// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.Destruction;
import com.noctarius.snowcast.internal.table.NodeTable;
import java.util.List;

/** Destroys an incarnation of a sequencer. */
final class DestroyOperation extends DestructionOperation<Reply<Destruction>> {
    /** How long a creation of the same name waits for the holders' reports. */
    private static final long MAX_SETTLING_MILLIS = 5_000;

    DestroyOperation() {}

    DestroyOperation(String name, long incarnation) {
        super(name, incarnation);
    }

    @Override
    Reply<Destruction> change(PartitionContainer container, SnowcastService service) {
        NodeTable table = container.table(sequencerName());
        Destruction destruction = table.destroy(incarnation());
        if (destruction == null && service.clusterMillis() < container.recoveringUntilMillis()) {
            // A holder whose extension is still to come could bring the sequencer back.
            throw new RetryableHazelcastException(
                    "sequencer " + sequencerName() + ": its partition lost its data and does not know it yet");
        }
        if (destruction != null) {
            container.beginSettling(sequencerName(), incarnation(), service.clusterMillis() + MAX_SETTLING_MILLIS);
            changed(table.change(List.of()));
        }
        return SnowcastDataSerializerHook.reply(destruction);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.DESTROY;
    }
}
