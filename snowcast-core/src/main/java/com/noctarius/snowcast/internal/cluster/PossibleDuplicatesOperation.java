// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Found;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/** Tells a member's listeners what may have been issued twice. */
final class PossibleDuplicatesOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private Found found = new Found(List.of(), List.of());

    PossibleDuplicatesOperation() {}

    PossibleDuplicatesOperation(Found found) {
        this.found = found;
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        service.tell(found);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.POSSIBLE_DUPLICATES;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeFound(out, found);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        found = Wire.readFound(in);
    }
}
